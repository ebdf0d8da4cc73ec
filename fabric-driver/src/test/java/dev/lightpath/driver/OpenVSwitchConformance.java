package dev.lightpath.driver;

import dev.lightpath.driver.config.AdapterConfig;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The OpenFlow adapter before a switch of others, Open vSwitch. */
abstract class OpenVSwitchConformance extends ServerConformance {
    private OpenVSwitch device;

    /** @param versions of OpenFlow that the switch offers */
    final JudgedDriver judged(String versions) throws Exception {
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

    /** Kills the switch and starts it again. */
    final void restart() throws Exception {
        device.restart();
    }
}
