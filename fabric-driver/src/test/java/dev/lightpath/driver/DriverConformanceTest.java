package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.lightpath.conformance.EmulatorFaults;
import dev.lightpath.conformance.Judge;
import dev.lightpath.conformance.bench.Housekeeping;
import dev.lightpath.conformance.report.Verdict;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.conformance.requirement.Requirements;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The emulator's adapter meets every requirement of the conformance kit, on each kind of device. */
final class DriverConformanceTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int SMALL_BUFFER = 32;

    @TempDir
    private Path state;

    private EmulatedPlant plant;
    private EmulatorFaults faults;
    private Housekeeping house;

    @TestFactory
    Stream<DynamicTest> aOneSidedSwitchConforms() throws Exception {
        return judged("ocs-1", 15, Set.of("ports/wrong-side", "conflict/power-on-position"));
    }

    @TestFactory
    Stream<DynamicTest> aTwoSidedSwitchConforms() throws Exception {
        return judged(
                "ocs-2",
                15,
                Set.of(
                        "circuits/bytewise",
                        "conflict/power-on-position",
                        "ports/both-ways-in-a-request",
                        "ports/both-ways-in-use",
                        "ports/itself",
                        "limits/batch"));
    }

    @TestFactory
    Stream<DynamicTest> aNodesTransceiversConform() throws Exception {
        return judged(
                "n1",
                0.07,
                Set.of(
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
                        "limits/whole-batch"));
    }

    private Stream<DynamicTest> judged(String device, double usualMoveMillis, Set<String> inapplicable)
            throws Exception {
        plant = new EmulatedPlant(state, SMALL_BUFFER);
        faults = EmulatedConformance.faults(plant, device, usualMoveMillis);
        house = Housekeeping.begin(
                EmulatedConformance.endpoint(plant::driverPort),
                EmulatedConformance.terms(device, PATIENCE, plant, faults));
        Judge judge = new Judge(house);
        List<String> light = plant.truth(device);
        return Requirements.all().stream()
                .map(r -> dynamicTest(r.name(), () -> {
                    assertMet(judge, r, inapplicable.contains(r.name()));
                    assertThat(plant.truth(device)).as("light left behind").isEqualTo(light);
                }));
    }

    private static void assertMet(Judge judge, Requirement requirement, boolean inapplicable) {
        switch (judge.judge(requirement).verdict()) {
            case Verdict.Passed unused ->
                assertThat(inapplicable).as("judged although it must not apply").isFalse();
            case Verdict.Failed failed -> fail("expected %s%nseen %s", failed.expected(), failed.seen());
            case Verdict.Skipped skipped ->
                assertThat(inapplicable).as(skipped.why()).isTrue();
        }
    }

    @AfterEach
    void stop() {
        house.close();
        faults.close();
        plant.close();
    }
}
