package dev.lightpath.driver.contract;

import static dev.lightpath.driver.contract.ObedientSwitch.DEVICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.driver.adapter.DeviceSilentException;
import dev.lightpath.driver.contract.view.ContractException;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A shutter whose closing was asked for, and not answered. */
final class ShutterTest {
    private static final String PORT = "8";

    @TempDir
    private Path directory;

    private final ObedientSwitch hardware = new ObedientSwitch();
    private final List<String> asked = new ArrayList<>();

    private FleetBench started() throws Exception {
        FleetBench bench = new FleetBench(directory, hardware);
        hardware.describe(DEVICE, 8);
        hardware.present(DEVICE, List.of());
        hardware.says()
                .ports(DEVICE, List.of(PortStatus.newBuilder().setPort(PORT).build()));
        return bench;
    }

    private static PortOverride override(FleetBench bench, PortOverride wanted) {
        return bench.fleet
                .device(DEVICE)
                .override(
                        SetPortOverrideRequest.newBuilder()
                                .setDeviceId(DEVICE)
                                .setPort(PORT)
                                .setOverride(wanted)
                                .setFencing(Fencing.newBuilder()
                                        .setRole("cluster/fabric")
                                        .setEpoch(1)
                                        .setHolder("test"))
                                .build(),
                        Writer.of("test"));
    }

    private static PortOverride shown(FleetBench bench) {
        PortStatus port = bench.fleet.device(DEVICE).view().ports().get(PORT);
        assertThat(port).isNotNull();
        return port.getOverride();
    }

    private void closes(FleetBench bench) {
        hardware.shutters = (port, closed) -> {
            asked.add(port + " " + closed);
            if (closed) {
                throw new DeviceSilentException("no answer within 3 s");
            }
        };
        assertThatThrownBy(() -> override(bench, PortOverride.PORT_OVERRIDE_SHUTTERED))
                .isInstanceOf(ContractException.class);
    }

    @Test
    void isOpenedWhenTheOverrideIsLifted() throws Exception {
        try (FleetBench bench = started()) {
            closes(bench);
            assertThat(override(bench, PortOverride.PORT_OVERRIDE_NONE)).isEqualTo(PortOverride.PORT_OVERRIDE_NONE);
            assertThat(asked).containsExactly("8 true", "8 false");
            assertThat(override(bench, PortOverride.PORT_OVERRIDE_NONE)).isEqualTo(PortOverride.PORT_OVERRIDE_NONE);
            assertThat(asked).hasSize(2);
        }
    }

    @Test
    void isOpenedAfterARestart() throws Exception {
        try (FleetBench bench = started()) {
            closes(bench);
        }
        try (FleetBench bench = started()) {
            var unused = override(bench, PortOverride.PORT_OVERRIDE_NONE);
            assertThat(asked).containsExactly("8 true", "8 false");
        }
    }

    @Test
    void keepsThePortOutOfServiceAndIsNotSaidToBeClosed() throws Exception {
        try (FleetBench bench = started()) {
            closes(bench);
            assertThat(shown(bench)).isEqualTo(PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE);
            hardware.shutters = (port, closed) -> {};
            var unused = override(bench, PortOverride.PORT_OVERRIDE_SHUTTERED);
            assertThat(shown(bench)).isEqualTo(PortOverride.PORT_OVERRIDE_SHUTTERED);
        }
    }

    @Test
    void aPortOutOfServiceIsLiftedWithoutItsShutter() throws Exception {
        hardware.shutters = (port, closed) -> asked.add(port + " " + closed);
        try (FleetBench bench = started()) {
            var unused = override(bench, PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE);
            unused = override(bench, PortOverride.PORT_OVERRIDE_NONE);
            assertThat(asked).isEmpty();
        }
    }
}
