package dev.lightpath.driver;

import dev.lightpath.driver.config.AdapterConfig;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The OpenFlow adapter before a switch of others, Open vSwitch: with bundles, and by the older version without. */
@Order(1)
final class OpenFlowConformanceTest extends ServerConformance {
    private OpenVSwitch device;

    private JudgedDriver judged(String versions) throws Exception {
        device = open(new OpenVSwitch(directory.resolve("ovs"), versions));
        return judged(
                new AdapterConfig.OpenFlow(
                        "127.0.0.1",
                        device.port(),
                        Optional.empty(),
                        List.of(new AdapterConfig.OpenFlowSwitchConfig(
                                "ovs", OpenVSwitch.DATAPATH, OpenVSwitch.SIZE, "ovs", Duration.ofSeconds(1)))),
                "ovs",
                device,
                device::light);
    }

    @TestFactory
    Stream<DynamicTest> conformsByOpenFlow14() throws Exception {
        return judged("OpenFlow13,OpenFlow14").meetsAllBut(BEYOND_TWO_SIDES);
    }

    @TestFactory
    Stream<DynamicTest> conformsByOpenFlow13() throws Exception {
        return judged("OpenFlow13").meetsAllBut(BEYOND_TWO_SIDES);
    }

    @Test
    void missesTheFlowsOfASwitchThatWasKilled() throws Exception {
        judged("OpenFlow13,OpenFlow14").missesWhatWentWith(device::restart);
    }
}
