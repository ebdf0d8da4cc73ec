package dev.lightpath.driver;

import dev.lightpath.driver.config.AdapterConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The OpenFlow adapter before a switch of others, Open vSwitch: with bundles, and by the older version without. */
@Order(1)
final class OpenFlowConformanceTest {
    private static final Set<String> BEYOND_IT = Set.of(
            "inventory/factory-loss",
            "circuits/bytewise",
            "conflict/power-on-position",
            // its circuits have no state
            "operations/tuning",
            "ports/both-ways-in-a-request",
            "ports/both-ways-in-use",
            "ports/itself",
            "limits/batch");

    @TempDir
    private Path directory;

    private OpenVSwitch device;
    private JudgedDriver judged;

    private JudgedDriver judged(String versions) throws Exception {
        device = new OpenVSwitch(directory.resolve("ovs"), versions);
        judged = new JudgedDriver(
                directory.resolve("state"),
                new AdapterConfig.OpenFlow(
                        "127.0.0.1",
                        device.port(),
                        Optional.empty(),
                        List.of(new AdapterConfig.OpenFlowSwitchConfig(
                                "ovs", OpenVSwitch.DATAPATH, OpenVSwitch.SIZE, "ovs", Duration.ofSeconds(1)))),
                "ovs",
                Optional.of(new ServerFaults(device)),
                device::light);
        return judged;
    }

    @AfterEach
    void stop() throws Exception {
        if (judged != null) {
            judged.close();
        }
        if (device != null) {
            device.close();
        }
    }

    @TestFactory
    Stream<DynamicTest> conformsByOpenFlow14() throws Exception {
        return judged("OpenFlow13,OpenFlow14").meetsAllBut(BEYOND_IT);
    }

    @TestFactory
    Stream<DynamicTest> conformsByOpenFlow13() throws Exception {
        return judged("OpenFlow13").meetsAllBut(BEYOND_IT);
    }

    @Test
    void missesTheFlowsOfASwitchThatWasKilled() throws Exception {
        judged("OpenFlow13,OpenFlow14").missesWhatWentWith(device::restart);
    }
}
