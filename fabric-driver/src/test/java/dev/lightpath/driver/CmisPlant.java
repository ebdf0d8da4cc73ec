package dev.lightpath.driver;

import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.ConfigException;
import dev.lightpath.driver.config.DriverConfigReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A ring of emulated nodes whose modules speak CMIS, and what a driver is told of them. */
final class CmisPlant extends TransceiverPlant {
    static final Path TYPE = Path.of("examples/cmis/lightpath-ocstrx.yaml").toAbsolutePath();
    private static final int BUNDLES = 2;

    /** @param quirks of the modules of node n1 */
    CmisPlant(String quirks) {
        super(BUNDLES, section(quirks));
    }

    private static String section(String quirks) {
        StringBuilder section = new StringBuilder("cmis:\n");
        for (int node = 0; node < NODES; node++) {
            section.append("  - {device: n%d, listen: \"127.0.0.1:0\", quirks: [%s]}\n"
                    .formatted(node, NODE.equals("n" + node) ? quirks : ""));
        }
        return section.toString();
    }

    /** Of the bus of node n1. */
    int port() {
        return port(NODE);
    }

    private int port(String node) {
        return emulator.cmis(node).port();
    }

    /** One driver for all nodes, which no installation has. */
    @Override
    AdapterConfig adapter(Path directory) throws IOException, ConfigException {
        return adapter(directory, port());
    }

    /** @param type of the modules of node n1 */
    AdapterConfig adapter(Path directory, Path type) throws IOException, ConfigException {
        return adapter(directory, port(), type);
    }

    /** @param way to the bus of node n1 */
    AdapterConfig adapter(Path directory, int way) throws IOException, ConfigException {
        return adapter(directory, way, TYPE);
    }

    private AdapterConfig adapter(Path directory, int way, Path type) throws IOException, ConfigException {
        StringBuilder text = new StringBuilder("""
                listen: 127.0.0.1:0
                http: 127.0.0.1:0
                stateDirectory: state
                adapters:
                  - kind: cmis
                    devices:
                """);
        for (int node = 0; node < NODES; node++) {
            int port = NODE.equals("n" + node) ? way : port("n" + node);
            text.append("      - id: n").append(node).append("\n        modules:\n");
            for (int bundle = 0; bundle < BUNDLES; bundle++) {
                text.append("          - {name: b%d, type: %s, socket: 127.0.0.1:%d/%d}\n"
                        .formatted(bundle, NODE.equals("n" + node) ? type : TYPE, port, bundle));
            }
        }
        Path file = Files.writeString(directory.resolve("driver.yaml"), text);
        return DriverConfigReader.read(file).adapters().getFirst();
    }
}
