package dev.lightpath.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.DeltaInstance;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.DeltaSolution;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.InstanceGenerator;
import dev.lightpath.planner.delta.Preset;
import dev.lightpath.planner.delta.SearchLimits;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MilpPlannerTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final MilpPlanner planner = new MilpPlanner();

    @ParameterizedTest
    @CsvSource({"JOINT, 0.764862895882", "TOPOLOGY, 0.776534088308"})
    void agreesWithTheExactSearchOnGpt(Formulation formulation, double seconds) {
        DeltaInstance instance = InstanceGenerator.generate(Preset.GPT_7B.workload(400, 8, 4096, false));
        MilpAnswer.Found found = solve(instance, formulation, false);
        assertThat(found.closed()).isTrue();
        assertThat(found.objectiveSeconds()).isCloseTo(seconds, within(seconds * 2e-6));
        assertThat(found.solution().makespanSeconds()).isCloseTo(seconds, within(seconds * 1e-9));
    }

    @Test
    void agreesOnTheFewestPortsOfGpt() {
        DeltaInstance instance = InstanceGenerator.generate(Preset.GPT_7B.workload(400, 8, 4096, false));
        DeltaSolution exact =
                new DeltaPlanner().solve(instance, Goal.fewestPorts(Algorithm.JOINT, 1e-6), SearchLimits.standard());
        assertThat(solve(instance, Formulation.JOINT, true).solution().ports()).isEqualTo(exact.ports());
    }

    @Test
    void choosesACircuitCountByFixedSteps() {
        DeltaInstance instance = InstanceGenerator.generate(Preset.GPT_7B.workload(400, 2, 4096, false));
        MilpAnswer.Found found = solve(instance, Formulation.FIXED_STEP, false);
        assertThat(found.solution().lowerBoundSeconds()).isLessThanOrEqualTo(found.objectiveSeconds());
        assertThat(found.solution().makespanSeconds()).isLessThanOrEqualTo(found.objectiveSeconds());
    }

    private MilpAnswer.Found solve(DeltaInstance instance, Formulation formulation, boolean minimizePorts) {
        MilpAnswer answer = planner.solve(instance, formulation, minimizePorts, 1e-6, LIMIT, SearchLimits.standard());
        assertThat(answer).isInstanceOf(MilpAnswer.Found.class);
        return (MilpAnswer.Found) answer;
    }
}
