package dev.lightpath.planner.ask;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.iteration.TracedIteration;
import dev.lightpath.planner.delta.model.CommunicationTask;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Pod;
import dev.lightpath.planner.delta.search.SearchLimits;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** So many transfers at once that one simulation takes longer than a search may. */
class HeavyIterationTest {
    private static final int TRANSFERS = 1500;
    private static final double BYTES = 1e6;
    private static final double BYTES_PER_SECOND = 5e10;

    @Test
    void hasCircuitsByTrafficAndABoundWithoutASearch() {
        TopologyAnswer answer = question()
                .answer(
                        (instance, goal, limits) -> {
                            throw new AssertionError("it is searched");
                        },
                        SearchLimits.standard());
        TopologyAnswer.Failed failed = (TopologyAnswer.Failed) answer;
        assertThat(failed.why()).contains("too many transfers").contains("the least that it can take");
        Prediction found = failed.share().orElseThrow().prediction();
        assertThat(found.circuits()).containsExactly(4);
        assertThat(found.iterationSeconds())
                .as("all bytes over four circuits, at least")
                .isGreaterThan(0.99 * TRANSFERS * BYTES / 4 / BYTES_PER_SECOND)
                .isGreaterThanOrEqualTo(found.lowerBoundSeconds());
        assertThat(found.proved()).isFalse();
        assertThat(found.question()).as("it stays open").isNotEqualTo(question().digest());
    }

    private static TopologyQuestion question() {
        List<CommunicationTask> tasks = IntStream.range(0, TRANSFERS)
                .mapToObj(m -> new CommunicationTask(m, "t" + m, 0, 1, 1, BYTES + m, List.of(0), List.of(1)))
                .toList();
        return new TopologyQuestion(
                new Iteration.OfTrace(TracedIteration.of(DeltaInstance.withGroupPerPair(
                        "at once",
                        BYTES_PER_SECOND,
                        List.of(new Pod(0, 4, true), new Pod(1, 4, true)),
                        tasks,
                        List.of()))),
                Preset.GPT_7B.workload().parallelism(),
                2,
                400,
                List.of(4, 4),
                Goal.fewestPorts(Algorithm.JOINT, 1e-9),
                Duration.ofSeconds(10));
    }
}
