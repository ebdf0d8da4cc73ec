package dev.lightpath.driver.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.driver.contract.view.ContractException;
import dev.lightpath.driver.contract.view.DeviceView;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import java.nio.file.Path;
import java.util.List;
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

    /** A switch with a wrong host key is to be found by its name, with the reason. */
    @Test
    void oneThatWasNeverReachedIsSilentForItsReasonAndIsNotRemembered() throws Exception {
        restarted.named = new CompletableFuture<>();
        try (FleetBench bench = new FleetBench(directory, restarted)) {
            restarted.says().silent("ocs-3", "the host key is another one");
            DeviceView view = bench.fleet.device("ocs-3").view();
            assertThat(view.availability()).isEqualTo(Availability.AVAILABILITY_SILENT);
            assertThat(view.alarms().values())
                    .extracting(Alarm::getNativeText)
                    .containsExactly("the host key is another one");
            assertThatThrownBy(() -> bench.fleet.reached("ocs-3"))
                    .isInstanceOf(ContractException.class)
                    .hasMessageContaining("the host key is another one");
        }
        ObedientSwitch next = new ObedientSwitch();
        next.named = new CompletableFuture<>();
        try (FleetBench bench = new FleetBench(directory, next)) {
            assertThat(bench.fleet.devices()).containsOnlyKeys("ocs-1", "ocs-2");
            next.says().silent("ocs-3", "the host key is another one");
            next.describe("ocs-3", 8);
            assertThat(bench.fleet.reached("ocs-3").view().description().isUnreached())
                    .isFalse();
            next.present("ocs-3", List.of());
            assertThat(bench.fleet.device("ocs-3").view().alarms()).isEmpty();
        }
    }
}
