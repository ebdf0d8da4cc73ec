package dev.lightpath.benchmarks.whole;

import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc.ChaosServiceBlockingStub;
import dev.lightpath.proto.emulator.v1alpha1.ClearFaultsRequest;
import dev.lightpath.proto.emulator.v1alpha1.DeviceTruth;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.GetGroundTruthRequest;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.util.Collection;
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
                    .forEach(circuit ->
                            lit.add(device.getDeviceId() + "/" + circuit.getIngress() + "->" + circuit.getEgress()));
        }
        return lit;
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
