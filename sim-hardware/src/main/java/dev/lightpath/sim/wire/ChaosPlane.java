package dev.lightpath.sim.wire;

import dev.lightpath.proto.emulator.v1alpha1.AdvanceClockRequest;
import dev.lightpath.proto.emulator.v1alpha1.AdvanceClockResponse;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.ClearFaultsRequest;
import dev.lightpath.proto.emulator.v1alpha1.ClearFaultsResponse;
import dev.lightpath.proto.emulator.v1alpha1.DeviceTruth;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.GetEventLogRequest;
import dev.lightpath.proto.emulator.v1alpha1.GetEventLogResponse;
import dev.lightpath.proto.emulator.v1alpha1.GetGroundTruthRequest;
import dev.lightpath.proto.emulator.v1alpha1.GetGroundTruthResponse;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultResponse;
import dev.lightpath.proto.emulator.v1alpha1.LightChange;
import dev.lightpath.proto.emulator.v1alpha1.LightEvent;
import dev.lightpath.proto.emulator.v1alpha1.ListFaultsRequest;
import dev.lightpath.proto.emulator.v1alpha1.ListFaultsResponse;
import dev.lightpath.proto.emulator.v1alpha1.LoadScenarioRequest;
import dev.lightpath.proto.emulator.v1alpha1.LoadScenarioResponse;
import dev.lightpath.proto.emulator.v1alpha1.SnapshotRequest;
import dev.lightpath.proto.emulator.v1alpha1.SnapshotResponse;
import dev.lightpath.proto.emulator.v1alpha1.TrueCircuit;
import dev.lightpath.sim.core.Hardware;
import dev.lightpath.sim.core.LightLog;
import dev.lightpath.sim.core.fault.Fault;
import dev.lightpath.sim.core.plant.Plant;
import dev.lightpath.sim.loop.HardwareLoop;
import dev.lightpath.sim.scenario.ScenarioException;
import dev.lightpath.sim.scenario.Schedule;
import dev.lightpath.sim.scenario.ScheduleReader;
import dev.lightpath.sim.scenario.Timeline;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Faults, clock and truth. */
final class ChaosPlane extends ChaosServiceGrpc.ChaosServiceImplBase {
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long NANOS_PER_MICRO = 1_000;
    private static final long MOST_NANOS = 36_525 * 86_400_000L * NANOS_PER_MILLI;

    private final Hardware hardware;
    private final HardwareLoop loop;
    private final Codec codec;
    private final FaultCodec faults;
    private final Calls calls;
    private final Timeline timeline;
    private final String bootId;

    ChaosPlane(Hardware hardware, HardwareLoop loop, Codec codec, Calls calls, Timeline timeline, String bootId) {
        this.hardware = hardware;
        this.loop = loop;
        this.codec = codec;
        faults = new FaultCodec(codec);
        this.calls = calls;
        this.timeline = timeline;
        this.bootId = bootId;
    }

    @Override
    public void injectFault(InjectFaultRequest request, StreamObserver<InjectFaultResponse> out) {
        calls.untouched(out, (Calls.Reply<InjectFaultResponse> reply) -> {
            Fault fault = hardware.inject(FaultCodec.request(request));
            reply.accept(InjectFaultResponse.newBuilder().setFaultId(fault.id()).build());
        });
    }

    @Override
    public void clearFaults(ClearFaultsRequest request, StreamObserver<ClearFaultsResponse> out) {
        calls.untouched(out, reply -> {
            Set<String> ids = new HashSet<>(request.getFaultIdsList());
            for (String id : ids) {
                if (!hardware.stands(id)) {
                    reply.fail(Status.NOT_FOUND.withDescription("no fault '" + id + "' stands"));
                    return;
                }
            }
            dev.lightpath.sim.core.fault.@Nullable FaultKind kind =
                    request.getKind() == FaultKind.FAULT_KIND_UNSPECIFIED ? null : FaultCodec.kind(request.getKind());
            int cleared = hardware.clearFaults(fault -> (ids.isEmpty() || ids.contains(fault.id()))
                    && (request.getDeviceId().isEmpty()
                            || request.getDeviceId().equals(fault.request().deviceId()))
                    && (kind == null || fault.kind() == kind));
            reply.accept(ClearFaultsResponse.newBuilder().setCleared(cleared).build());
        });
    }

    @Override
    public void listFaults(ListFaultsRequest request, StreamObserver<ListFaultsResponse> out) {
        calls.untouched(out, reply -> {
            ListFaultsResponse.Builder response = ListFaultsResponse.newBuilder();
            for (Fault fault : hardware.faults()) {
                if (request.getDeviceId().isEmpty()
                        || request.getDeviceId().equals(fault.request().deviceId())) {
                    response.addFaults(faults.fault(fault));
                }
            }
            reply.accept(response.build());
        });
    }

    @Override
    public void loadScenario(LoadScenarioRequest request, StreamObserver<LoadScenarioResponse> out) {
        calls.untouched(out, reply -> {
            try {
                Schedule schedule = ScheduleReader.parse("yaml", request.getYaml(), hardware);
                timeline.add(schedule);
                reply.accept(LoadScenarioResponse.newBuilder()
                        .setEntries(schedule.entries().size())
                        .setRates(schedule.rates().size())
                        .build());
            } catch (ScenarioException e) {
                reply.fail(Status.INVALID_ARGUMENT.withDescription(e.getMessage()));
            }
        });
    }

    @Override
    public void advanceClock(AdvanceClockRequest request, StreamObserver<AdvanceClockResponse> out) {
        calls.untouched(out, reply -> {
            if (!loop.isVirtual()) {
                reply.fail(Status.FAILED_PRECONDITION.withDescription(
                        "the clock is real; a scenario with 'clock: virtual' can be advanced"));
                return;
            }
            if (request.getMillis() < 0 || request.getMicros() < 0) {
                throw new IllegalArgumentException("time does not go backwards");
            }
            long left = MOST_NANOS - hardware.nowNanos();
            if (request.getMillis() > left / NANOS_PER_MILLI || request.getMicros() > left / NANOS_PER_MICRO) {
                throw new IllegalArgumentException(
                        "the clock counts 100 years, and " + left / NANOS_PER_MILLI + " ms of them are left");
            }
            long fired = loop.advance(request.getMillis() * NANOS_PER_MILLI + request.getMicros() * NANOS_PER_MICRO);
            reply.accept(AdvanceClockResponse.newBuilder()
                    .setNow(codec.at(hardware.nowNanos()))
                    .setFired(fired)
                    .build());
        });
    }

    @Override
    public void snapshot(SnapshotRequest request, StreamObserver<SnapshotResponse> out) {
        calls.untouched(out, reply -> {
            Hardware.Counts counts = hardware.counts();
            SnapshotResponse.Builder response = SnapshotResponse.newBuilder()
                    .setNow(codec.at(hardware.nowNanos()))
                    .setVirtualClock(loop.isVirtual())
                    .setSeed(hardware.seed())
                    .setDevices(counts.devices())
                    .setUnpoweredDevices(counts.unpowered())
                    .setSilentDevices(counts.silent())
                    .setLitCircuits(counts.litCircuits())
                    .setMoving(counts.moving())
                    .setLockedReceivers(counts.lockedReceivers())
                    .setLastEvent(hardware.log().last())
                    .setPendingTimelineEntries(timeline.pending())
                    .setEmulatorBootId(bootId);
            hardware.faults().forEach(fault -> response.addFaults(faults.fault(fault)));
            reply.accept(response.build());
        });
    }

    @Override
    public void getGroundTruth(GetGroundTruthRequest request, StreamObserver<GetGroundTruthResponse> out) {
        calls.untouched(out, reply -> {
            BitSet wanted = devices(request.getDeviceIdsList(), reply);
            if (wanted == null) {
                return;
            }
            Plant plant = hardware.plant();
            GetGroundTruthResponse.Builder response = GetGroundTruthResponse.newBuilder();
            for (int device = wanted.nextSetBit(0); device >= 0; device = wanted.nextSetBit(device + 1)) {
                DeviceTruth.Builder truth = response.addDevicesBuilder()
                        .setDeviceId(plant.device(device).id());
                hardware.forEachLit(
                        device,
                        (ingress, egress) -> truth.addCircuits(TrueCircuit.newBuilder()
                                .setIngress(plant.portName(ingress))
                                .setEgress(plant.portName(egress))));
            }
            reply.accept(response.build());
        });
    }

    @Override
    public void getEventLog(GetEventLogRequest request, StreamObserver<GetEventLogResponse> out) {
        calls.untouched(out, reply -> {
            BitSet wanted = devices(request.getDeviceIdsList(), reply);
            if (wanted == null) {
                return;
            }
            LightLog log = hardware.log();
            Plant plant = hardware.plant();
            int limit = request.getLimit() <= 0 ? 10_000 : Math.min(request.getLimit(), 50_000);
            GetEventLogResponse.Builder response =
                    GetEventLogResponse.newBuilder().setOldest(log.oldest()).setLast(request.getAfter());
            long seq = Math.max(request.getAfter() + 1, log.oldest());
            for (; seq <= log.last() && response.getEventsCount() < limit; seq++) {
                LightLog.Entry entry = log.get(seq);
                int device = plant.deviceOf(entry.ingress());
                response.setLast(seq);
                if (wanted.get(device)) {
                    response.addEvents(LightEvent.newBuilder()
                            .setSeq(seq)
                            .setAt(codec.at(entry.atNanos()))
                            .setDeviceId(plant.device(device).id())
                            .setChange(LightChange.valueOf(
                                    "LIGHT_CHANGE_" + entry.change().name()))
                            .setIngress(plant.portName(entry.ingress()))
                            .setEgress(entry.egress() < 0 ? "" : plant.portName(entry.egress())));
                }
            }
            reply.accept(response.setMore(seq <= log.last()).build());
        });
    }

    /** The devices named, all when none is; null after the call was failed because one is unknown. */
    private @Nullable BitSet devices(List<String> ids, Calls.Reply<?> reply) {
        BitSet devices = new BitSet();
        for (String id : ids) {
            int device = hardware.plant().findDevice(id);
            if (device < 0) {
                reply.fail(Status.NOT_FOUND.withDescription("unknown device '" + id + "'"));
                return null;
            }
            devices.set(device);
        }
        if (ids.isEmpty()) {
            devices.set(0, hardware.plant().deviceCount());
        }
        return devices;
    }
}
