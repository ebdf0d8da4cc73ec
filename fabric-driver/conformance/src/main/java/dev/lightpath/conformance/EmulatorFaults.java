package dev.lightpath.conformance;

import dev.lightpath.conformance.bench.Fault;
import dev.lightpath.conformance.bench.Faults;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc.ChaosServiceBlockingStub;
import dev.lightpath.proto.emulator.v1alpha1.ClearFaultsRequest;
import dev.lightpath.proto.emulator.v1alpha1.DeviceServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import dev.lightpath.proto.emulator.v1alpha1.PortPair;
import dev.lightpath.proto.emulator.v1alpha1.SetAttenuationRequest;
import dev.lightpath.proto.emulator.v1alpha1.SetConnectionsRequest;
import io.grpc.ManagedChannel;
import java.util.concurrent.TimeUnit;

/** Faults of a device that sim-hardware emulates. */
public final class EmulatorFaults implements Faults, AutoCloseable {
    private static final long POWER_LOSS_MILLIS = 300;

    private final ManagedChannel channel;
    private final String deviceId;
    private final double usualMoveMillis;

    /** @param usualMoveMillis what the device's capabilities say of one move */
    public EmulatorFaults(ManagedChannel channel, String deviceId, double usualMoveMillis) {
        this.channel = channel;
        this.deviceId = deviceId;
        this.usualMoveMillis = usualMoveMillis;
    }

    private ChaosServiceBlockingStub chaos() {
        return ChaosServiceGrpc.newBlockingStub(channel).withDeadlineAfter(10, TimeUnit.SECONDS);
    }

    @Override
    public void inject(Fault fault) {
        switch (fault) {
            case Fault.DeadElement(var port) ->
                inject(fault(FaultKind.FAULT_KIND_DEAD_ELEMENT).setPort(port));
            case Fault.StuckElement(var port) ->
                inject(fault(FaultKind.FAULT_KIND_STUCK_ELEMENT).setPort(port));
            case Fault.SlowMoves(var millis) ->
                inject(fault(FaultKind.FAULT_KIND_SLOW_MOVES).setValue(Math.max(2, millis / usualMoveMillis)));
            case Fault.Silence() -> inject(fault(FaultKind.FAULT_KIND_UNREACHABLE));
            case Fault.PowerCycle() ->
                inject(fault(FaultKind.FAULT_KIND_POWER_LOSS).setDurationMillis(POWER_LOSS_MILLIS));
            case Fault.Replacement() -> inject(fault(FaultKind.FAULT_KIND_DEVICE_REPLACED));
            case Fault.WeakerLight(var port, var lossDb) ->
                inject(fault(FaultKind.FAULT_KIND_DIRTY_CONNECTOR).setPort(port).setValue(lossDb));
            case Fault.Temperature(var celsius) ->
                inject(fault(FaultKind.FAULT_KIND_TEMPERATURE).setValue(celsius));
            case Fault.Attenuated(var port, var lossDb) -> {
                var unused = DeviceServiceGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(10, TimeUnit.SECONDS)
                        .setAttenuation(SetAttenuationRequest.newBuilder()
                                .setDeviceId(deviceId)
                                .setPort(port)
                                .setAttenuationDb(lossDb)
                                .build());
            }
            case Fault.ForeignCircuit(var circuit) -> {
                var unused = DeviceServiceGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(10, TimeUnit.SECONDS)
                        .setConnections(SetConnectionsRequest.newBuilder()
                                .setDeviceId(deviceId)
                                .addConnects(PortPair.newBuilder()
                                        .setIngress(circuit.getIngress())
                                        .setEgress(circuit.getEgress()))
                                .build());
            }
        }
    }

    private InjectFaultRequest.Builder fault(FaultKind kind) {
        return InjectFaultRequest.newBuilder().setDeviceId(deviceId).setKind(kind);
    }

    private void inject(InjectFaultRequest.Builder fault) {
        var unused = chaos().injectFault(fault.build());
    }

    @Override
    public void mend() {
        var unused = chaos().clearFaults(
                        ClearFaultsRequest.newBuilder().setDeviceId(deviceId).build());
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
