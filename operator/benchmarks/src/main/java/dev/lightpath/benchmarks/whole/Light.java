package dev.lightpath.benchmarks.whole;

import com.google.protobuf.Timestamp;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc.ChaosServiceBlockingStub;
import dev.lightpath.proto.emulator.v1alpha1.ClearFaultsRequest;
import dev.lightpath.proto.emulator.v1alpha1.DeviceTruth;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.GetEventLogRequest;
import dev.lightpath.proto.emulator.v1alpha1.GetEventLogResponse;
import dev.lightpath.proto.emulator.v1alpha1.GetGroundTruthRequest;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import dev.lightpath.proto.emulator.v1alpha1.LightEvent;
import dev.lightpath.proto.emulator.v1alpha1.SnapshotRequest;
import dev.lightpath.proto.emulator.v1alpha1.SnapshotResponse;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** What light really does, and what breaks it: the emulator, asked past driver and operator. */
final class Light implements AutoCloseable {
    private final ManagedChannel channel;
    private final ChaosServiceBlockingStub chaos;

    Light(int port) {
        channel = Grpc.newChannelBuilder("127.0.0.1:" + port, InsecureChannelCredentials.create())
                .maxInboundMessageSize(256 << 20)
                .build();
        chaos = ChaosServiceGrpc.newBlockingStub(channel);
    }

    /** Circuits as `device/ingress->egress`. @param devices of all when empty */
    SortedSet<String> of(Collection<String> devices) {
        SortedSet<String> lit = new TreeSet<>();
        for (DeviceTruth device : chaos.getGroundTruth(GetGroundTruthRequest.newBuilder()
                        .addAllDeviceIds(devices)
                        .build())
                .getDevicesList()) {
            device.getCircuitsList()
                    .forEach(circuit -> lit.add(name(device.getDeviceId(), circuit.getIngress(), circuit.getEgress())));
        }
        return lit;
    }

    static String name(String device, String ingress, String egress) {
        return device + "/" + ingress + "->" + egress;
    }

    /** Of a circuit's {@link #name}. */
    static String device(String circuit) {
        return circuit.substring(0, circuit.indexOf('/'));
    }

    /**
     * A moment of the emulator's.
     *
     * @param lastEvent number of the last entry of its log
     */
    record Moment(Instant at, long lastEvent) {}

    /** Now, by the emulator's clock. */
    Moment now() {
        SnapshotResponse snapshot = chaos.snapshot(SnapshotRequest.getDefaultInstance());
        return new Moment(instant(snapshot.getNow()), snapshot.getLastEvent());
    }

    /**
     * Part of the log.
     *
     * @param last number of the last entry looked at, of whichever device
     */
    record Changes(List<LightEvent> events, long last) {}

    /** What the log says of devices after an entry. */
    Changes changes(long after, Collection<String> devices) {
        List<LightEvent> events = new ArrayList<>();
        long last = after;
        boolean more = true;
        while (more) {
            GetEventLogResponse part = chaos.getEventLog(GetEventLogRequest.newBuilder()
                    .setAfter(last)
                    .addAllDeviceIds(devices)
                    .build());
            if (part.getOldest() > last + 1) {
                throw new IllegalStateException(
                        "the emulator's log begins at " + part.getOldest() + ", wanted was " + (last + 1));
            }
            events.addAll(part.getEventsList());
            last = part.getLast();
            more = part.getMore();
        }
        return new Changes(events, last);
    }

    static Instant instant(Timestamp time) {
        return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
    }

    void failPort(String device, String port) {
        var unused = chaos.injectFault(InjectFaultRequest.newBuilder()
                .setDeviceId(device)
                .setPort(port)
                .setKind(FaultKind.FAULT_KIND_PORT_FAILED)
                .build());
    }

    void heal(String device) {
        var unused = chaos.clearFaults(
                ClearFaultsRequest.newBuilder().setDeviceId(device).build());
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
