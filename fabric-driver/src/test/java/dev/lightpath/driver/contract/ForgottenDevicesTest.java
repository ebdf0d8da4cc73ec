package dev.lightpath.driver.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Devices of an earlier run, after a restart. */
final class ForgottenDevicesTest {
    @TempDir
    private Path directory;

    private final ObedientSwitch restarted = new ObedientSwitch();

    @BeforeEach
    void run() throws Exception {
        ObedientSwitch earlier = new ObedientSwitch();
        try (FleetBench bench = new FleetBench(directory, earlier)) {
            earlier.describe("ocs-1", 8);
            earlier.describe("ocs-2", 8);
            assertThat(bench.fleet.devices()).containsOnlyKeys("ocs-1", "ocs-2");
        }
    }

    @Test
    void oneThatNoAdapterHasAnyMoreIsForgotten() throws Exception {
        restarted.named = CompletableFuture.completedFuture(Set.of("ocs-1"));
        try (FleetBench bench = new FleetBench(directory, restarted)) {
            assertThat(bench.fleet.devices()).containsOnlyKeys("ocs-1");
        }
        restarted.named = new CompletableFuture<>();
        try (FleetBench bench = new FleetBench(directory, restarted)) {
            assertThat(bench.fleet.devices()).containsOnlyKeys("ocs-1");
        }
    }

    @Test
    void oneThatAnAdapterMayHaveStillIsKept() throws Exception {
        ObedientSwitch away = new ObedientSwitch();
        restarted.named = CompletableFuture.completedFuture(Set.of("ocs-1"));
        away.named = new CompletableFuture<>();
        try (FleetBench bench = new FleetBench(directory, restarted, away)) {
            assertThat(bench.fleet.devices()).containsOnlyKeys("ocs-1", "ocs-2");

            away.named.complete(Set.of("ocs-2"));
            assertThat(bench.fleet.devices()).containsOnlyKeys("ocs-1", "ocs-2");
        }
    }

    @Test
    void oneThatWasDescribedMeanwhileIsKept() throws Exception {
        restarted.named = new CompletableFuture<>();
        try (FleetBench bench = new FleetBench(directory, restarted)) {
            restarted.describe("ocs-2", 8);
            restarted.named.complete(Set.of("ocs-1"));
            assertThat(bench.fleet.devices()).containsOnlyKeys("ocs-1", "ocs-2");
        }
    }
}
