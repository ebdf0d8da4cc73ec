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

/** The TL1 adapter on an emulated switch of two sides. */
final class Tl1ConformanceTest {
    private Tl1Plant plant;
    private EmulatorFaults faults;
    private JudgedDriver judged;

    @BeforeEach
    void start(@TempDir Path directory) throws Exception {
        plant = new Tl1Plant(directory, "ports: 32, twoSided: true", "");
        faults = new EmulatorFaults(EmulatedPlant.channel(plant.emulatorPort()), Tl1Plant.DEVICE, 15);
        judged = new JudgedDriver(
                directory.resolve("state"),
                plant.adapter(),
                Tl1Plant.DEVICE,
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
                "circuits/bytewise",
                "conflict/power-on-position",
                "inventory/factory-loss",
                "limits/batch",
                "ports/both-ways-in-a-request",
                "ports/both-ways-in-use",
                "ports/itself"));
    }
}
