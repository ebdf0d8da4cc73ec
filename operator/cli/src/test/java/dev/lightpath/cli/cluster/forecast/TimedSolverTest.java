package dev.lightpath.cli.cluster.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.Iteration;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.delta.iteration.Preset;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TimedSolverTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /** Whether the search came to its end on a clock that goes on by this much at each look. */
    private static boolean proved(Duration step) {
        TopologyQuestion question = new TopologyQuestion(
                new Iteration.OfModel(Preset.GPT_7B.model(), new Batch(8, 1, 4096, true)),
                Parallelism.ofDegrees(2, 4, 2, 1, 1),
                2,
                400,
                List.of(4, 4),
                Goal.fewestPorts(Algorithm.JOINT, 1e-9),
                LIMIT);
        AtomicLong clock = new AtomicLong();
        return ((TopologyAnswer.Found) new TimedSolver(() -> clock.addAndGet(step.toNanos())).apply(question))
                .prediction()
                .proved();
    }

    @Test
    void answersWithTheBestItKnowsWhenTheTimeOfTheJobIsOver() {
        assertThat(proved(Duration.ZERO)).isTrue();
        assertThat(proved(LIMIT.plusNanos(1))).isFalse();
    }
}
