package dev.lightpath.driver;

import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.AdapterConfig.NetconfDevice;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The NETCONF adapter before a server of others: yuma123's netconfd, which writes straight into running. */
@Order(1)
final class NetconfNetconfdConformanceTest {
    @TempDir
    private Path directory;

    private Netconfd server;
    private CutProxy way;
    private Ncclient client;
    private JudgedDriver judged;

    @BeforeEach
    void start() throws Exception {
        server = new Netconfd(directory);
        way = new CutProxy(server.port());
        client = new Ncclient(server.port(), "root");
        NetconfHardware hardware = new NetconfHardware(client, server::process, way, true);
        hardware.install();
        NetconfDevice device = server.device(way.port(), Duration.ofSeconds(1));
        judged = new JudgedDriver(
                directory.resolve("state"),
                new AdapterConfig.NetconfPolatis(List.of(device)),
                device.id(),
                Optional.of(new ServerFaults(hardware)),
                client::light);
    }

    @AfterEach
    void stop() throws Exception {
        if (judged != null) {
            judged.close();
        }
        if (client != null) {
            client.close();
        }
        if (way != null) {
            way.close();
        }
        if (server != null) {
            server.close();
        }
    }

    @Test
    void missesTheCircuitsOfAServerThatWasKilled() throws Exception {
        judged.missesWhatWentWith(server::restart);
    }

    @TestFactory
    Stream<DynamicTest> conforms() {
        return judged.meetsAllBut(Set.of(
                "inventory/factory-loss",
                "circuits/bytewise",
                "conflict/power-on-position",
                // its circuits have no state
                "operations/tuning",
                "ports/both-ways-in-a-request",
                "ports/both-ways-in-use",
                "ports/itself",
                "limits/batch"));
    }
}
