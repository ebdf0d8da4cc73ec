package dev.lightpath.driver.openflow;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.driver.config.AdapterConfig.OpenFlowSwitchConfig;
import dev.lightpath.driver.session.LostException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Devices that connect to the driver, or do not. */
final class IncomingTest {
    @Test
    void aDeviceThatDoesNotConnectIsNotWaitedForWithoutAWord() {
        Incoming device = new Incoming(new OpenFlowSwitchConfig("ocs-1", 0xa1, "8x8", "ocs-1", Duration.ofSeconds(1)));
        assertThatThrownBy(() -> device.next(Duration.ofMillis(1)))
                .isInstanceOf(LostException.class)
                .hasMessageContaining("no device with datapath 00000000000000a1 has connected to the driver")
                .hasMessageContaining("name the driver as its controller");
    }
}
