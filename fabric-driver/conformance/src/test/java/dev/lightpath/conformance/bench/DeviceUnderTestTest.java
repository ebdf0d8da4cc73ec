package dev.lightpath.conformance.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceCircuits;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import org.junit.jupiter.api.Test;

final class DeviceUnderTestTest {
    private static int mostItems(int maxBatch) {
        return new DeviceUnderTest(
                        Device.getDefaultInstance(),
                        Capabilities.newBuilder().setMaxBatch(maxBatch).build(),
                        DeviceInventory.getDefaultInstance(),
                        DeviceCircuits.getDefaultInstance())
                .mostItems();
    }

    @Test
    void takesAsManyItemsAsItSays() {
        assertThat(mostItems(1)).isEqualTo(1);
        assertThat(mostItems(256)).isEqualTo(256);
    }

    @Test
    void aDeviceThatNamesNoLimitHasNone() {
        assertThat(mostItems(0)).isEqualTo(Integer.MAX_VALUE);
    }
}
