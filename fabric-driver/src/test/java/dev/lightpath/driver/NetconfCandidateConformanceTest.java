package dev.lightpath.driver;

import dev.lightpath.conformance.EmulatorFaults;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The NETCONF adapter on an emulated switch of two sides, by base 1.1, candidate and notifications. */
@Order(1)
final class NetconfCandidateConformanceTest {
    private NetconfPlant plant;
    private EmulatorFaults faults;
    private JudgedDriver judged;

    @BeforeEach
    void start(@TempDir Path directory) throws Exception {
        plant = new NetconfPlant(directory, "ports: 32, twoSided: true", "base: \"1.1\", datastore: candidate");
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
                "circuits/bytewise",
                "conflict/power-on-position",
                "ports/both-ways-in-a-request",
                "ports/both-ways-in-use",
                "ports/itself",
                "limits/batch",
                // a commit answers when the mirrors stand still
                "operations/tuning",
                "override/shutter"));
    }
}
