package dev.lightpath.driver;

import dev.lightpath.conformance.EmulatorFaults;
import dev.lightpath.conformance.bench.Faults;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The conformance kit on an adapter whose switch is emulated with its management protocol. */
abstract class ManagedConformance {
    private ManagedPlant plant;
    private EmulatorFaults faults;
    private JudgedDriver judged;

    abstract ManagedPlant plant(Path directory) throws Exception;

    /** Checks that cannot be run on this switch. */
    abstract Set<String> left();

    /** Whether it is judged on this switch. */
    boolean isJudged(String requirement) {
        return true;
    }

    /** Faults that the switch tells of. Most management protocols tell of no loss of power. */
    Faults told(Faults emulated) {
        return new SerialFaults(emulated);
    }

    @BeforeEach
    void start(@TempDir Path directory) throws Exception {
        plant = plant(directory);
        faults = new EmulatorFaults(EmulatedPlant.channel(plant.emulatorPort()), ManagedPlant.DEVICE, 15);
        judged = new JudgedDriver(
                directory.resolve("state"),
                plant.adapter(),
                ManagedPlant.DEVICE,
                Optional.of(told(plant.named(faults))),
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
        return judged.meetsAllBut(left(), this::isJudged);
    }
}
