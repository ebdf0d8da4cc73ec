package dev.lightpath.soak;

import dev.lightpath.console.text.BadInput;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc.ChaosServiceBlockingStub;
import dev.lightpath.proto.emulator.v1alpha1.ClearFaultsRequest;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.GetEventLogRequest;
import dev.lightpath.proto.emulator.v1alpha1.GetEventLogResponse;
import dev.lightpath.proto.emulator.v1alpha1.GetGroundTruthRequest;
import dev.lightpath.proto.emulator.v1alpha1.GetGroundTruthResponse;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import dev.lightpath.proto.emulator.v1alpha1.LightChange;
import dev.lightpath.proto.emulator.v1alpha1.LightEvent;
import dev.lightpath.proto.emulator.v1alpha1.ListFaultsRequest;
import dev.lightpath.proto.emulator.v1alpha1.SnapshotRequest;
import dev.lightpath.soak.oracle.Beam;
import dev.lightpath.soak.oracle.LightHistory;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** The emulator's own plane: what light really does, and faults on demand. It never speaks to a driver. */
final class EmulatedHardware implements AutoCloseable {
    private static final int MOST_BYTES = 256 << 20;
    private static final int PATIENCE_SECONDS = 60;

    private final String address;
    private final ManagedChannel channel;
    private final Map<String, String> faults = new HashMap<>();

    /** @param address HOST:PORT */
    EmulatedHardware(String address) {
        this.address = address;
        this.channel = Grpc.newChannelBuilder(address, InsecureChannelCredentials.create())
                .maxInboundMessageSize(MOST_BYTES)
                .build();
    }

    private ChaosServiceBlockingStub chaos() {
        return ChaosServiceGrpc.newBlockingStub(channel).withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** All that is lit, and all devices there are. */
    record Truth(SortedSet<Beam> light, Set<String> devices) {}

    /** @throws BadInput when there is no emulator */
    Truth truth() {
        SortedSet<Beam> light = new TreeSet<>();
        Set<String> devices = new TreeSet<>();
        GetGroundTruthResponse answer;
        try {
            answer = chaos().getGroundTruth(GetGroundTruthRequest.getDefaultInstance());
        } catch (StatusRuntimeException e) {
            throw new BadInput(
                    "no answer from an emulator at " + address + " ("
                            + e.getStatus().getCode()
                            + "); name its address with --emulator HOST:PORT, deploy/local/up prints it as EMULATOR",
                    e);
        }
        answer.getDevicesList().forEach(device -> {
            devices.add(device.getDeviceId());
            device.getCircuitsList()
                    .forEach(circuit ->
                            light.add(new Beam(device.getDeviceId(), circuit.getIngress(), circuit.getEgress())));
        });
        return new Truth(light, devices);
    }

    /** The number of the newest entry of the log. */
    long lastEntry() {
        return chaos().snapshot(SnapshotRequest.getDefaultInstance()).getLastEvent();
    }

    /** @param whole whether no entry was lost */
    record Log(List<LightHistory.Entry> entries, long last, boolean whole) {}

    /** What light did after the entry of that number. */
    Log logAfter(long number) {
        List<LightHistory.Entry> entries = new ArrayList<>();
        long last = number;
        boolean whole = true;
        GetEventLogResponse page;
        do {
            page = chaos().getEventLog(
                            GetEventLogRequest.newBuilder().setAfter(last).build());
            whole &= page.getOldest() <= last + 1;
            for (LightEvent event : page.getEventsList()) {
                if (event.getChange() == LightChange.LIGHT_CHANGE_LIT
                        || event.getChange() == LightChange.LIGHT_CHANGE_DARK) {
                    entries.add(new LightHistory.Entry(
                            new Beam(event.getDeviceId(), event.getIngress(), event.getEgress()),
                            event.getChange() == LightChange.LIGHT_CHANGE_LIT));
                }
            }
            last = page.getLast();
        } while (page.getMore());
        return new Log(entries, last, whole);
    }

    void cutPower(String device) {
        inject(device, InjectFaultRequest.newBuilder().setKind(FaultKind.FAULT_KIND_POWER_LOSS));
    }

    void failPort(String device, String port) {
        inject(
                device,
                InjectFaultRequest.newBuilder()
                        .setKind(FaultKind.FAULT_KIND_PORT_FAILED)
                        .setPort(port));
    }

    private void inject(String device, InjectFaultRequest.Builder fault) {
        String id = chaos().injectFault(fault.setDeviceId(device).build()).getFaultId();
        faults.put(device + "/" + fault.getPort(), id);
    }

    /** @param port empty for a fault of the whole device */
    void heal(String device, String port) {
        String id = faults.remove(device + "/" + port);
        if (id != null) {
            chaos().clearFaults(ClearFaultsRequest.newBuilder().addFaultIds(id).build());
        }
    }

    /** Number of faults that stand. */
    int standing() {
        return chaos().listFaults(ListFaultsRequest.getDefaultInstance()).getFaultsCount();
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
