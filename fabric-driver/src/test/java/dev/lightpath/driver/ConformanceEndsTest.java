package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.conformance.ConformanceKit;
import dev.lightpath.conformance.ConformanceRun;
import dev.lightpath.conformance.EmulatorFaults;
import dev.lightpath.conformance.bench.Housekeeping;
import dev.lightpath.conformance.report.Report;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kit gives a device back, however its run ends. */
final class ConformanceEndsTest {
    private static final String DEVICE = "ocs-1";
    private static final String KIT = "lightpath-conformance";
    private static final String OWNER = "owner";

    @TempDir
    private Path directory;

    private EmulatedPlant plant;

    @BeforeEach
    void start() throws Exception {
        plant = new EmulatedPlant(directory.resolve("state"));
    }

    @AfterEach
    void stop() {
        plant.close();
    }

    private void hold(String role) {
        var unused = plant.circuits()
                .applyCircuits(Requests.apply(DEVICE, role, 1, "held").build());
    }

    private Report judged(Requirement.Check check) {
        try (EmulatorFaults faults = EmulatedConformance.faults(plant, DEVICE, 1)) {
            return ConformanceRun.run(
                    "test",
                    EmulatedConformance.endpoint(() -> plant.driverPort()),
                    EmulatedConformance.terms(DEVICE, Duration.ofSeconds(60), plant, faults),
                    List.of(new Requirement("test/one", "section", "statement", check)));
        }
    }

    private Device device() {
        return plant.inventory()
                .listDevices(
                        ListDevicesRequest.newBuilder().addDeviceIds(DEVICE).build())
                .getDevices(0);
    }

    @Test
    void aRunThatFailsItselfGivesTheDeviceBack() {
        hold(OWNER);
        assertThatThrownBy(() -> judged(bench -> {
                    bench.change().make(0).apply();
                    throw new StackOverflowError("planted");
                }))
                .isInstanceOf(StackOverflowError.class)
                .hasNoSuppressedExceptions();
        assertThat(device().getHoldingRole()).isEqualTo(OWNER);
        assertThat(plant.truth(DEVICE)).isEmpty();
    }

    @Test
    void aDeviceThatTheKitHeldBeforeIsNamed() {
        hold(KIT);
        assertThat(judged(bench -> {}).notes())
                .singleElement()
                .asString()
                .startsWith("'" + KIT + "' held " + DEVICE + " before");
    }

    @Test
    void anInterruptionOfTheEndDoesNotKeepTheDevice() {
        hold(OWNER);
        try (EmulatorFaults faults = EmulatedConformance.faults(plant, DEVICE, 1);
                Housekeeping house = Housekeeping.begin(
                        EmulatedConformance.endpoint(() -> plant.driverPort()),
                        EmulatedConformance.terms(DEVICE, Duration.ofSeconds(60), plant, faults))) {
            Thread.currentThread().interrupt();
            assertThat(house.end()).isEmpty();
        } finally {
            boolean unused = Thread.interrupted();
        }
        assertThat(device().getHoldingRole()).isEqualTo(OWNER);
    }

    @Test
    void aProcessThatIsEndedGivesTheDeviceBack() throws Exception {
        hold(OWNER);
        Process kit = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ConformanceKit.class.getName(),
                        "--endpoint",
                        "127.0.0.1:" + plant.driverPort(),
                        "--device",
                        DEVICE,
                        "--only",
                        "stream/slow-client")
                .redirectErrorStream(true)
                .start();
        try {
            BufferedReader said = kit.inputReader();
            String line = said.readLine();
            while (line != null && !line.contains("device    " + DEVICE)) {
                line = said.readLine();
            }
            assertThat(line).as("the run has begun").isNotNull();
            assertThat(device().getHoldingRole()).isEqualTo(KIT);
            kit.destroy();
            assertThat(kit.waitFor(120, TimeUnit.SECONDS)).isTrue();
        } finally {
            kit.destroyForcibly();
        }
        assertThat(device().getHoldingRole()).isEqualTo(OWNER);
        assertThat(plant.truth(DEVICE)).isEmpty();
    }
}
