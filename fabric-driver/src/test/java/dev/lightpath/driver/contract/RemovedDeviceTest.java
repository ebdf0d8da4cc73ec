package dev.lightpath.driver.contract;

import static dev.lightpath.driver.contract.ObedientSwitch.DEVICE;
import static dev.lightpath.driver.contract.ObedientSwitch.lit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceSilentException;
import dev.lightpath.driver.contract.view.DeviceView;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A call that began when the device was part of the installation still, and ends when it is not. */
final class RemovedDeviceTest {
    @TempDir
    private Path directory;

    private final ObedientSwitch one = new ObedientSwitch();
    private final ObedientSwitch other = new ObedientSwitch();
    private FleetBench bench;

    @BeforeEach
    void start() throws Exception {
        bench = new FleetBench(directory, one, other);
        one.describe(DEVICE, 8);
        one.present(DEVICE, List.of());
        ControlledDevice device = bench.fleet.device(DEVICE);
        one.says().removed(DEVICE);
        one.reading = () -> {
            throw new DeviceSilentException("there is no such device");
        };
        assertThat(device.readBack().silent()).isTrue();
    }

    @AfterEach
    void stop() throws Exception {
        bench.close();
    }

    @Test
    void makesItNoSilentDevice() {
        DeviceView last = bench.told.getLast().after();
        assertThat(last.availability()).isEqualTo(Availability.AVAILABILITY_REMOVED);
        assertThat(last.alarms()).isEmpty();
    }

    @Test
    void doesNotKeepItFromComingBackAsAnother() {
        // the device is looked at again a second after it fell silent
        other.reading = () -> lit("15", "16");
        other.describe(DEVICE, 16);
        other.present(DEVICE, lit("15", "16"));

        ControlledDevice device = bench.fleet.device(DEVICE);
        assertThat(device.view().description().inventory().getPortsCount()).isEqualTo(16);
        device.mirror().ports().requirePort("16");
        assertThat(device.view().circuits()).containsOnlyKeys(new CircuitPair("15", "16"));
    }
}
