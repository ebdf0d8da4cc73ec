package dev.lightpath.driver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.contract.view.DeviceView;
import dev.lightpath.driver.contract.view.ScopeFilter;
import dev.lightpath.driver.contract.view.ViewChange;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.Environment;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class EventsTest {
    private static final DeviceDescription SWITCH = new DeviceDescription(
            Device.newBuilder().setDeviceId("ocs-1").build(),
            Capabilities.getDefaultInstance(),
            DeviceInventory.getDefaultInstance());

    private final Events events = new Events(
            WatchScope.of(WatchRequest.newBuilder().setReceivePowerStepDb(0).build(), device -> true));

    private static DeviceView with(PortStatus port) {
        return new DeviceView(
                SWITCH,
                1,
                Availability.AVAILABILITY_PRESENT,
                Instant.EPOCH,
                "",
                true,
                new TreeMap<>(),
                Map.of(port.getPort(), port),
                new TreeMap<>(),
                Environment.getDefaultInstance(),
                0,
                "",
                0,
                "",
                0,
                List.of());
    }

    private List<WatchResponse.Builder> told(PortStatus before, PortStatus after) {
        return events.of(new ViewChange(with(before), with(after), List.of(), Instant.EPOCH), ScopeFilter.ALL);
    }

    /** They change at every reading of every port. */
    @Test
    void bitErrorsAndTemperatureAreNoNews() {
        PortStatus port = PortStatus.newBuilder()
                .setPort("1")
                .setPreFecBitErrorRatio(1e-6)
                .setTemperatureCelsius(41)
                .build();
        PortStatus hotter = port.toBuilder()
                .setPreFecBitErrorRatio(2e-6)
                .setTemperatureCelsius(42)
                .build();
        assertThat(told(port, hotter)).isEmpty();
        assertThat(told(port, hotter.toBuilder().clearTemperatureCelsius().build()))
                .isEmpty();
        assertThat(told(port, hotter.toBuilder().setReceivePowerDbm(-3).build()))
                .hasSize(1);
    }
}
