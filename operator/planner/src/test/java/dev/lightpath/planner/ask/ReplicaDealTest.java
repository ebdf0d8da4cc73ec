package dev.lightpath.planner.ask;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.search.SearchLimits;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicaDealTest {

    @Test
    void givesARingOfAnOddNumberOfReplicasOneCircuitMoreWhereThePortsAllow() {
        assertThat(new ReplicaDeal(3, 2).realisable(List.of(1, 8, 5), List.of(16, 16)))
                .contains(List.of(1, 8, 6));
    }

    @Test
    void givesItOneLessWhereTheyDoNot() {
        assertThat(new ReplicaDeal(3, 2).realisable(List.of(1, 5, 5), List.of(6, 7)))
                .contains(List.of(1, 4, 6));
    }

    @Test
    void leavesAnOddCountToAnEvenNumberOfReplicas() {
        assertThat(new ReplicaDeal(4, 2).realisable(List.of(1, 5, 5), List.of(16, 16)))
                .contains(List.of(1, 5, 5));
    }

    @Test
    void keepsToTheToleranceOfItsPorts() {
        double tolerance = 0.15;
        TopologyQuestion question = new TopologyQuestion(
                new Iteration.OfModel(Preset.GPT_7B.model(), new Batch(3, 1, 4096, true)),
                Parallelism.ofDegrees(4, 2, 5, 1, 1),
                2,
                400,
                List.of(16),
                Goal.fewestPorts(Algorithm.JOINT, tolerance),
                Duration.ofSeconds(60));
        assertThat(question.answer(new DeltaPlanner(), SearchLimits.standard()))
                .isInstanceOfSatisfying(
                        TopologyAnswer.Found.class,
                        found -> assertThat(found.prediction().iterationSeconds())
                                .isLessThanOrEqualTo(found.prediction().lowerBoundSeconds() * (1 + tolerance)));
    }
}
