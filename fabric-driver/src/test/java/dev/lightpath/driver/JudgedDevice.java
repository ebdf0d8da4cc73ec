package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.lightpath.conformance.EmulatorFaults;
import dev.lightpath.conformance.Judge;
import dev.lightpath.conformance.Requirements;
import dev.lightpath.conformance.bench.Housekeeping;
import dev.lightpath.conformance.report.Verdict;
import dev.lightpath.conformance.requirement.Requirement;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** An emulated device behind the emulator's adapter, and the conformance kit that judges it. */
final class JudgedDevice implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int SMALL_BUFFER = 32;

    private final EmulatedPlant plant;
    private final EmulatorFaults faults;
    private final Housekeeping house;
    private final String device;

    JudgedDevice(Path state, String device, double usualMoveMillis) throws Exception {
        this.device = device;
        plant = new EmulatedPlant(state, SMALL_BUFFER);
        faults = EmulatedConformance.faults(plant, device, usualMoveMillis);
        house = Housekeeping.begin(
                EmulatedConformance.endpoint(plant::driverPort),
                EmulatedConformance.terms(device, PATIENCE, plant, faults));
    }

    /** A test for each requirement: the device meets it and is left as it was. Those named here do not apply to it. */
    Stream<DynamicTest> meetsAllBut(Set<String> inapplicable) {
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

    @Override
    public void close() {
        house.close();
        faults.close();
        plant.close();
    }
}
