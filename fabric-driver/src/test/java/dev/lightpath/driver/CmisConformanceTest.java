package dev.lightpath.driver;

import dev.lightpath.conformance.EmulatorFaults;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The CMIS adapter on the emulated modules of a node. */
final class CmisConformanceTest {
    private CmisPlant plant;
    private EmulatorFaults faults;
    private JudgedDriver judged;

    @BeforeEach
    void start(@TempDir Path directory) throws Exception {
        plant = new CmisPlant("");
        faults = new EmulatorFaults(EmulatedPlant.channel(plant.emulator.port()), CmisPlant.NODE, 0.07);
        judged = new JudgedDriver(
                Files.createDirectories(directory.resolve("state")),
                plant.adapter(directory),
                CmisPlant.NODE,
                Optional.of(new SerialFaults(faults)),
                plant::leftBehind);
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
                "circuits/many",
                "conflict/update-replaces-both",
                "inventory/factory-loss",
                "ports/egress-twice-in-a-request",
                "ports/both-ways-in-a-request",
                "ports/both-ways-in-use",
                "ports/itself",
                "ports/egress-in-use",
                "scope/names",
                "limits/batch",
                "limits/whole-batch"));
    }
}
