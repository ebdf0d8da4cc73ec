package dev.lightpath.driver;

import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.ConfigException;
import dev.lightpath.driver.config.DriverConfigReader;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.GetGroundTruthRequest;
import dev.lightpath.sim.Emulator;
import dev.lightpath.sim.scenario.Scenario;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A ring of emulated nodes whose modules speak CMIS, and what a driver is told of them. */
final class CmisPlant implements AutoCloseable {
    static final String NODE = "n1";
    static final Path TYPE = Path.of("examples/cmis/lightpath-ocstrx.yaml").toAbsolutePath();
    private static final int NODES = 8;
    private static final int BUNDLES = 2;

    final Emulator emulator;
    private final ManagedChannel emulated;

    /** @param quirks of the modules of node n1 */
    CmisPlant(String quirks) {
        StringBuilder scenario = new StringBuilder("""
                listen: 127.0.0.1:0
                seed: 7
                ring: {nodes: %d, reach: %d, gpusPerNode: 4}
                cmis:
                """.formatted(NODES, BUNDLES));
        for (int node = 0; node < NODES; node++) {
            scenario.append("  - {device: n%d, listen: \"127.0.0.1:0\", quirks: [%s]}\n"
                    .formatted(node, NODE.equals("n" + node) ? quirks : ""));
        }
        emulator = Emulator.start(Scenario.parse("plant.yaml", scenario.toString()));
        emulated = EmulatedPlant.channel(emulator.port());
    }

    /** One driver for all nodes, which no installation has. */
    AdapterConfig adapter(Path directory) throws IOException, ConfigException {
        StringBuilder text = new StringBuilder("""
                listen: 127.0.0.1:0
                http: 127.0.0.1:0
                stateDirectory: state
                adapters:
                  - kind: cmis
                    devices:
                """);
        for (int node = 0; node < NODES; node++) {
            text.append("      - id: n").append(node).append("\n        modules:\n");
            for (int bundle = 0; bundle < BUNDLES; bundle++) {
                text.append("          - {name: b%d, type: %s, socket: 127.0.0.1:%d/%d}\n"
                        .formatted(bundle, TYPE, emulator.cmis("n" + node).port(), bundle));
            }
        }
        Path file = Files.writeString(directory.resolve("driver.yaml"), text);
        return DriverConfigReader.read(file).adapters().getFirst();
    }

    /** What light really does, as "b0.common->b0.loop". */
    List<String> truth() {
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

    /** Light that is not as at rest, where each module loops back. */
    List<String> leftBehind() {
        List<String> light = truth();
        return light.equals(List.of("b0.common->b0.loop", "b1.common->b1.loop")) ? List.of() : light;
    }

    @Override
    public void close() {
        emulated.shutdownNow();
        emulator.close();
    }
}
