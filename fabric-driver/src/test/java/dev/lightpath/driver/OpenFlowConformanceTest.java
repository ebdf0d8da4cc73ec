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
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The OpenFlow adapter before a switch of others, Open vSwitch: with bundles, and by the older version without. */
final class OpenFlowConformanceTest {
    private static final Set<String> BEYOND_IT = Set.of(
            "inventory/factory-loss",
            "circuits/bytewise",
            "conflict/power-on-position",
            "ports/both-ways-in-a-request",
            "ports/both-ways-in-use",
            "ports/itself",
            "limits/batch");

    @TempDir
    private Path directory;

    private OpenVSwitch device;
    private JudgedDriver judged;

    private Stream<DynamicTest> conforms(String versions) throws Exception {
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
                Optional.empty(),
                device::light);
        return judged.meetsAllBut(BEYOND_IT);
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
        return conforms("OpenFlow13,OpenFlow14");
    }

    @TestFactory
    Stream<DynamicTest> conformsByOpenFlow13() throws Exception {
        return conforms("OpenFlow13");
    }
}
