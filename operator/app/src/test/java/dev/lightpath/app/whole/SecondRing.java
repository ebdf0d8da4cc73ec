package dev.lightpath.app.whole;

import dev.lightpath.app.RingManifest;
import dev.lightpath.driver.DriverServer;
import dev.lightpath.driver.config.DriverConfig;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc.ChaosServiceBlockingStub;
import dev.lightpath.sim.Emulator;
import dev.lightpath.sim.scenario.Scenario;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Nodes `m0`.. as fabric `ring-b`, with hardware and a driver of its own: it shares nothing with `ring-a`. */
final class SecondRing implements AutoCloseable {
    static final String FABRIC = "ring-b";

    final ChaosServiceBlockingStub chaos;
    private final Path state;
    private final Emulator emulator;
    private final DriverServer driver;
    private final ManagedChannel toEmulator;

    SecondRing(Installation beside, Path folder, int nodes) throws IOException {
        this.state = Files.createDirectories(folder.resolve("driver-of-ring-b"));
        this.emulator = Emulator.start(Scenario.parse(
                "second.yaml",
                "{listen: '127.0.0.1:0', seed: 5, ring: {nodes: " + nodes + ", reach: 3, namePrefix: m}}"));
        this.driver = DriverServer.start(DriverConfig.onLoopback(state, "127.0.0.1:" + emulator.port()));
        this.toEmulator = Grpc.newChannelBuilderForAddress(
                        "127.0.0.1", emulator.port(), InsecureChannelCredentials.create())
                .build();
        this.chaos = ChaosServiceGrpc.newBlockingStub(toEmulator);
        for (int position = 0; position < nodes; position++) {
            Node created = beside.client.resource(node(position)).create();
            // admission taints a new node as not ready, and there is no controller that would untaint it
            created.getSpec().setTaints(List.of());
            beside.client.resource(created).update();
        }
        beside.client
                .resource(RingManifest.of(FABRIC, "lightpath.dev/ring", 3, nodes, "127.0.0.1:" + driver.port()))
                .create();
    }

    private static Node node(int position) {
        Map<String, Quantity> capacity = Map.of("nvidia.com/gpu", new Quantity("4"), "pods", new Quantity("110"));
        return new NodeBuilder()
                .withNewMetadata()
                .withName("m" + position)
                .addToLabels("lightpath.dev/ring", FABRIC)
                .addToLabels("lightpath.dev/ring-position", Integer.toString(position))
                .endMetadata()
                .withNewStatus()
                .withCapacity(capacity)
                .withAllocatable(capacity)
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .withReason("KubeletReady")
                .endCondition()
                .endStatus()
                .build();
    }

    /** One line for each change of its driver, the oldest first. */
    List<String> audit() throws IOException {
        return Files.readAllLines(state.resolve("audit.log"));
    }

    /** The fabric and the nodes are left to whoever made the installation. */
    @Override
    public void close() {
        driver.close();
        toEmulator.shutdownNow();
        emulator.close();
    }
}
