package dev.lightpath.driver.contract;

import static dev.lightpath.driver.contract.ObedientSwitch.DEVICE;
import static dev.lightpath.driver.contract.ObedientSwitch.lit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a device tells once, while the driver does something else with it. */
final class ToldMeanwhileTest {
    private static final List<NativeCircuit> NEWER = lit("3", "4");

    @TempDir
    private Path directory;

    private final ObedientSwitch hardware = new ObedientSwitch();
    private FleetBench bench;

    @BeforeEach
    void start() throws Exception {
        bench = new FleetBench(directory, hardware);
        hardware.describe(DEVICE, 8);
        hardware.present(DEVICE, lit("1", "2"));
    }

    @AfterEach
    void stop() throws Exception {
        bench.close();
    }

    /** Somebody else changes it, and it tells that. */
    private void changes() {
        hardware.reading = () -> NEWER;
        hardware.says().circuits(DEVICE, NEWER);
    }

    @Test
    void isLookedAtAfterAnOverride() {
        hardware.shutters = (port, closed) -> changes();

        var unused = bench.fleet
                .device(DEVICE)
                .override(
                        SetPortOverrideRequest.newBuilder()
                                .setDeviceId(DEVICE)
                                .setPort("8")
                                .setOverride(PortOverride.PORT_OVERRIDE_SHUTTERED)
                                .setFencing(Fencing.newBuilder()
                                        .setRole("cluster/fabric")
                                        .setEpoch(1)
                                        .setHolder("test"))
                                .build(),
                        Writer.of("test"));

        awaitNewer();
    }

    @Test
    void isLookedAtAfterAReadThatBeganBefore() {
        List<NativeCircuit> older = lit("5", "6");
        AtomicBoolean first = new AtomicBoolean(true);
        hardware.reading = () -> {
            if (first.getAndSet(false)) {
                changes();
                return older;
            }
            return NEWER;
        };

        hardware.says().circuits(DEVICE, older);

        awaitNewer();
    }

    private void awaitNewer() {
        await().atMost(60, TimeUnit.SECONDS)
                .untilAsserted(
                        () -> assertThat(bench.fleet.device(DEVICE).view().circuits())
                                .containsOnlyKeys(new CircuitPair("3", "4")));
    }
}
