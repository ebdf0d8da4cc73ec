package dev.lightpath.driver;

import dev.lightpath.conformance.EmulatorFaults;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The NETCONF adapter on an emulated switch of one side, by base 1.0, running, the list `pairs` and polls. */
final class NetconfRunningConformanceTest {
    private NetconfPlant plant;
    private EmulatorFaults faults;
    private JudgedDriver judged;

    @BeforeEach
    void start(@TempDir Path directory) throws Exception {
        plant = new NetconfPlant(
                directory,
                "ports: 32",
                "base: \"1.0\", datastore: running, notifications: false, revision: 2017-01-01");
        faults = new EmulatorFaults(EmulatedPlant.channel(plant.emulatorPort()), NetconfPlant.DEVICE, 15);
        judged = new JudgedDriver(
                directory.resolve("state"),
                plant.adapter(),
                NetconfPlant.DEVICE,
                Optional.of(new SerialFaults(faults)),
                plant::truth);
    }

    @AfterEach
    void stop() {
        if (judged != null) {
            judged.close();
        }
        faults.close();
        plant.close();
    }

    @TestFactory
    Stream<DynamicTest> conforms() {
        return judged.meetsAllBut(Set.of(
                "inventory/factory-loss",
                "ports/wrong-side",
                "conflict/power-on-position",
                "limits/batch",
                // a commit answers when the mirrors stand still
                "operations/tuning",
                "override/shutter"));
    }
}
