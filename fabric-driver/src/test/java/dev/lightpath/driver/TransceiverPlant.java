package dev.lightpath.driver;

import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.GetGroundTruthRequest;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import dev.lightpath.sim.Emulator;
import dev.lightpath.sim.scenario.Scenario;
import io.grpc.ManagedChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** A ring of emulated nodes whose modules speak a protocol of their own, and the way to them. */
abstract class TransceiverPlant implements AutoCloseable {
    static final String NODE = "n1";
    static final int NODES = 8;

    final Emulator emulator;
    private final ManagedChannel emulated;
    private final int bundles;

    /**
     * @param bundles modules of a node
     * @param section of the scenario, about the protocol
     */
    TransceiverPlant(int bundles, String section) {
        this.bundles = bundles;
        emulator = Emulator.start(Scenario.parse("plant.yaml", """
                listen: 127.0.0.1:0
                seed: 7
                ring: {nodes: %d, reach: %d, gpusPerNode: 4}
                %s""".formatted(NODES, bundles, section)));
        emulated = EmulatedPlant.channel(emulator.port());
    }

    /** One driver for all nodes. */
    abstract AdapterConfig adapter(Path directory) throws Exception;

    /** What light really does, as "b0.common->b0.loop". */
    final List<String> truth() {
        return ChaosServiceGrpc.newBlockingStub(emulated)
                .withDeadlineAfter(30, TimeUnit.SECONDS)
                .getGroundTruth(
                        GetGroundTruthRequest.newBuilder().addDeviceIds(NODE).build())
                .getDevices(0)
                .getCircuitsList()
                .stream()
                .map(c -> c.getIngress() + "->" + c.getEgress())
                .toList();
    }

    /** Puts other modules of the same model in place of those of the node. */
    final void replace() {
        var unused = ChaosServiceGrpc.newBlockingStub(emulated)
                .withDeadlineAfter(30, TimeUnit.SECONDS)
                .injectFault(InjectFaultRequest.newBuilder()
                        .setDeviceId(NODE)
                        .setKind(FaultKind.FAULT_KIND_DEVICE_REPLACED)
                        .build());
    }

    /** Light that is not as at rest, where each module loops back. */
    final List<String> leftBehind() {
        List<String> light = truth();
        List<String> rest = IntStream.range(0, bundles)
                .mapToObj(b -> "b" + b + ".common->b" + b + ".loop")
                .toList();
        return light.equals(rest) ? List.of() : light;
    }

    @Override
    public void close() {
        emulated.shutdownNow();
        emulator.close();
    }
}
