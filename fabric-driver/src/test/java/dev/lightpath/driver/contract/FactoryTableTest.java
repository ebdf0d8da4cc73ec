package dev.lightpath.driver.contract;

import static dev.lightpath.driver.contract.ObedientSwitch.DEVICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceSilentException;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.contract.view.FactoryLosses;
import dev.lightpath.proto.driver.v1alpha1.Circuit;
import dev.lightpath.proto.driver.v1alpha1.FactoryLoss;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables that name more than the device has, or very much. */
final class FactoryTableTest {
    private static FactoryLoss entry(String ingress, String egress) {
        return FactoryLoss.newBuilder()
                .setIngress(ingress)
                .setEgress(egress)
                .setLossDb(1.5)
                .build();
    }

    private static List<FactoryLoss> diagonal(int entries) {
        return IntStream.range(0, entries)
                .mapToObj(i -> entry(i + "@1310", i + "@1550"))
                .toList();
    }

    @Test
    void portsThatTheDeviceDoesNotHaveAreLeftOut(@TempDir Path directory) throws Exception {
        ObedientSwitch hardware = new ObedientSwitch();
        // kept in full, these would be 3 GB
        List<FactoryLoss> table = new ArrayList<>(diagonal(20_000));
        table.add(entry("1", "2"));
        hardware.losses = () -> table;
        try (FleetBench bench = new FleetBench(directory, hardware)) {
            hardware.describe(DEVICE, 8);
            hardware.present(DEVICE, List.of(ObedientSwitch.circuit("1", "2", OptionalDouble.of(2))));
            ControlledDevice device = bench.fleet.device(DEVICE);

            await().atMost(60, TimeUnit.SECONDS).untilAsserted(() -> {
                Circuit circuit = device.view().circuits().get(new CircuitPair("1", "2"));
                assertThat(circuit).isNotNull();
                assertThat(circuit.getFactoryLossDb()).isEqualTo(1.5);
            });
            assertThat(device.factoryLoss()).containsExactly(entry("1", "2"));
        }
    }

    @Test
    void aTryThatWasCutIsMadeOnceMore(@TempDir Path directory) throws Exception {
        ObedientSwitch hardware = new ObedientSwitch();
        AtomicInteger tries = new AtomicInteger();
        hardware.losses = () -> {
            if (tries.incrementAndGet() < 2) {
                throw new DeviceSilentException("cut");
            }
            return List.of(entry("1", "2"));
        };
        try (FleetBench bench = new FleetBench(directory, hardware)) {
            hardware.describe(DEVICE, 8);
            await().atMost(60, TimeUnit.SECONDS).until(() -> {
                hardware.present(DEVICE, List.of(ObedientSwitch.circuit("1", "2", OptionalDouble.of(2))));
                return tries.get() >= 2;
            });
            ControlledDevice device = bench.fleet.device(DEVICE);
            await().atMost(60, TimeUnit.SECONDS)
                    .until(() -> device.view()
                            .circuits()
                            .get(new CircuitPair("1", "2"))
                            .hasFactoryLossDb());
        }
    }

    @Test
    void aDeviceThatComesAfterATryFailedHasAllItsTries(@TempDir Path directory) throws Exception {
        ObedientSwitch hardware = new ObedientSwitch();
        AtomicInteger tries = new AtomicInteger();
        hardware.losses = () -> {
            // one of the device of before, and one of the device that came in its place
            if (tries.incrementAndGet() <= 2) {
                throw new DeviceSilentException("cut");
            }
            return List.of(entry("1", "2"));
        };
        try (FleetBench bench = new FleetBench(directory, hardware)) {
            List<NativeCircuit> measured = List.of(ObedientSwitch.circuit("1", "2", OptionalDouble.of(2)));
            hardware.serial = "A";
            hardware.describe(DEVICE, 8);
            hardware.present(DEVICE, measured);
            await().atMost(60, TimeUnit.SECONDS).until(() -> tries.get() == 1);

            hardware.serial = "B";
            hardware.describe(DEVICE, 8);
            ControlledDevice device = bench.fleet.device(DEVICE);
            await().atMost(60, TimeUnit.SECONDS).until(() -> {
                hardware.present(DEVICE, measured);
                return device.view().circuits().get(new CircuitPair("1", "2")).hasFactoryLossDb();
            });
            assertThat(tries).hasValue(3);
        }
    }

    @Test
    void aTableOfTooManyPortsIsNotKept() {
        assertThat(FactoryLosses.of(diagonal(2_048))).isPresent();
        assertThat(FactoryLosses.of(diagonal(2_049))).isEmpty();
    }
}
