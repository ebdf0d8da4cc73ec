package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.CircuitSource;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A device that did not answer once and answers again with what is known of it: no news, but no silence either. */
final class SilenceEndsTest {
    /** Of this test alone: the log is the whole process's. */
    private static final String DEVICE = "refuses-once";

    private static final String SCENARIO = """
            listen: 127.0.0.1:0
            seed: 7
            devices: [{id: %s, kind: switch, ports: 16, preset: mems}]
            """.formatted(DEVICE);

    @Test
    void aDeviceThatAnswersAsBeforeIsPresent(@TempDir Path directory) throws Exception {
        try (EmulatedPlant plant = EmulatedPlant.of(directory, SCENARIO, 1)) {
            read(plant);
            plant.inject(DEVICE, FaultKind.FAULT_KIND_CALL_REFUSED);
            read(plant);
            read(plant);
            assertThat(availability(plant)).isEqualTo(Availability.AVAILABILITY_SILENT);
            plant.clearFaults();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(availability(plant)).isEqualTo(Availability.AVAILABILITY_PRESENT));
        }
        List<String> told = log.lines("device=" + DEVICE);
        assertThat(told).hasSize(2);
        assertThat(told.getFirst()).contains("WARNING", "a device does not answer");
        assertThat(told.getLast()).contains("INFO", "a device answers again");
    }

    private final HeardLog log = new HeardLog("dev.lightpath.driver.server.PresenceLog");

    @AfterEach
    void listenNoMore() {
        log.close();
    }

    private static void read(EmulatedPlant plant) {
        var unused = plant.circuits()
                .getCircuits(GetCircuitsRequest.newBuilder()
                        .addDevices(DeviceScope.newBuilder().setDeviceId(DEVICE))
                        .setSource(CircuitSource.CIRCUIT_SOURCE_HARDWARE)
                        .build());
    }

    private static Availability availability(EmulatedPlant plant) {
        return plant.inventory().listDevices(ListDevicesRequest.getDefaultInstance()).getDevicesList().stream()
                .filter(device -> device.getDeviceId().equals(DEVICE))
                .findFirst()
                .orElseThrow()
                .getAvailability();
    }
}
