package dev.lightpath.driver;

import dev.lightpath.conformance.EmulatorFaults;
import dev.lightpath.conformance.bench.Faults;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The conformance kit on an adapter whose transceivers are emulated with their protocol. */
abstract class TransceiverConformance {
    /** They ask for more ports than a node has, or for one that two circuits could claim. */
    private static final Set<String> OF_SWITCHES = Set.of(
            "circuits/bytewise",
            "circuits/many",
            "conflict/update-replaces-both",
            "ports/egress-twice-in-a-request",
            "ports/both-ways-in-a-request",
            "ports/both-ways-in-use",
            "ports/itself",
            "ports/egress-in-use",
            "scope/names",
            "limits/batch",
            "limits/whole-batch");

    static final double USUAL_SELECTION_MILLIS = 0.07;

    private TransceiverPlant plant;
    private EmulatorFaults faults;
    private JudgedDriver judged;

    abstract TransceiverPlant plant();

    /** Checks that cannot be run on a node's transceivers, and these. */
    static Set<String> left(String... more) {
        return Stream.concat(OF_SWITCHES.stream(), Stream.of(more)).collect(Collectors.toUnmodifiableSet());
    }

    /** Checks that cannot be run on these transceivers. */
    Set<String> left() {
        return OF_SWITCHES;
    }

    /** Faults that the modules tell of. */
    Faults told(Faults emulated) {
        return emulated;
    }

    @BeforeEach
    void start(@TempDir Path directory) throws Exception {
        plant = plant();
        faults = new EmulatorFaults(
                EmulatedPlant.channel(plant.emulator.port()), TransceiverPlant.NODE, USUAL_SELECTION_MILLIS);
        judged = new JudgedDriver(
                directory.resolve("state"),
                plant.adapter(directory),
                TransceiverPlant.NODE,
                Optional.of(told(faults)),
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
        return judged.meetsAllBut(left());
    }
}
