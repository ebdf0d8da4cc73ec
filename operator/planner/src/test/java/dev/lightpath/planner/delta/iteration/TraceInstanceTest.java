package dev.lightpath.planner.delta.iteration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.simulation.Rates;
import dev.lightpath.planner.delta.simulation.Simulator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceInstanceTest {
    /** Two GPUs a pod, circuits and cards of 10 B/s, 100 B/s inside a pod. */
    private static final RankPlacement PLACEMENT = new RankPlacement(2, 2, 4, 80e-9, 800e-9);

    private static final List<Integer> ALL = List.of(0, 1, 2, 3);

    @Test
    void playsASendBetweenPodsAndWhatWaitsForIt() {
        DeltaInstance instance = TraceInstance.of(
                trace(
                        List.of(compute(1), new TraceStep.Send("send", List.of(0), 2, 0, 40)),
                        List.of(),
                        List.of(new TraceStep.Receive("receive", List.of(), 0, 0), compute(2, 0)),
                        List.of()),
                PLACEMENT);
        assertThat(instance.tasks()).hasSize(2);
        assertThat(instance.tasks().getFirst().bytes()).isEqualTo(40);
        assertThat(instance.tasks().getLast().bytes())
                .as("the end, of no bytes")
                .isZero();
        assertThat(seconds(instance, 1)).isCloseTo(1 + 4 + 2, within(1e-9));
    }

    @Test
    void keepsWhatStaysInAPodOffTheCircuits() {
        DeltaInstance instance = TraceInstance.of(
                trace(
                        List.of(new TraceStep.Send("in", List.of(), 1, 7, 200)),
                        List.of(
                                new TraceStep.Receive("in", List.of(), 0, 7),
                                new TraceStep.Send("out", List.of(0), 2, 0, 10)),
                        List.of(new TraceStep.Receive("out", List.of(), 1, 0)),
                        List.of()),
                PLACEMENT);
        assertThat(instance.tasks())
                .singleElement()
                .satisfies(task -> assertThat(task.sourceGpus()).containsExactly(1));
        assertThat(seconds(instance, 1)).isCloseTo(2 + 1, within(1e-9));
    }

    @ParameterizedTest
    @CsvSource({"ALL_REDUCE, 60", "ALL_GATHER, 120", "REDUCE_SCATTER, 30", "ALL_TO_ALL, 60"})
    void sendsACollectiveAroundItsPods(CollectiveKind kind, double bytesEachWay) {
        TraceStep step = new TraceStep.Collective("together", List.of(), kind, ALL, 60);
        DeltaInstance instance =
                TraceInstance.of(trace(List.of(step), List.of(step), List.of(step), List.of(step)), PLACEMENT);
        assertThat(instance.tasks().stream().filter(task -> task.bytes() > 0))
                .hasSize(2)
                .allSatisfy(task -> {
                    assertThat(task.bytes()).isEqualTo(bytesEachWay);
                    assertThat(task.flows()).isEqualTo(2);
                });
        assertThat(seconds(instance, 2)).isCloseTo(bytesEachWay / 20, within(1e-9));
    }

    @Test
    void letsACollectiveWaitForItsLastRank() {
        DeltaInstance instance = TraceInstance.of(
                trace(
                        List.of(all(CollectiveKind.ALL_REDUCE)),
                        List.of(compute(5), all(CollectiveKind.ALL_REDUCE, 0)),
                        List.of(all(CollectiveKind.ALL_REDUCE)),
                        List.of(all(CollectiveKind.ALL_REDUCE))),
                PLACEMENT);
        assertThat(seconds(instance, 2)).isCloseTo(5 + 3, within(1e-9));
    }

    @Test
    void matchesTheCollectivesOfAGroupInTheirOrder() {
        TraceStep first = new TraceStep.Collective("first", List.of(), CollectiveKind.ALL_REDUCE, ALL, 20);
        TraceStep second = new TraceStep.Collective("second", List.of(0), CollectiveKind.BARRIER, ALL, 0);
        List<TraceStep> both = List.of(first, second);
        DeltaInstance instance = TraceInstance.of(trace(both, both, both, both), PLACEMENT);
        assertThat(seconds(instance, 2)).isCloseTo(1, within(1e-9));
    }

    @Test
    void refusesWhatDoesNotFitTogether() {
        TraceStep reduce = all(CollectiveKind.ALL_REDUCE);
        refused(
                "rank 0, send: sends to rank 9, allowed: ranks 0 to 3 of the trace",
                List.of(new TraceStep.Send("send", List.of(), 9, 0, 1)),
                List.of(),
                List.of(),
                List.of());
        refused(
                "rank 3, take: receives from rank 0 with tag 1, which sends nothing more with it",
                List.of(new TraceStep.Send("send", List.of(), 3, 2, 1)),
                List.of(),
                List.of(),
                List.of(new TraceStep.Receive("take", List.of(), 0, 1)));
        refused(
                "rank 0, all: is never entered by rank 2 of its group",
                List.of(reduce),
                List.of(reduce),
                List.of(),
                List.of(reduce));
        refused(
                "rank 1, all: is one collective more than rank 0 of its group has",
                List.of(reduce),
                List.of(reduce, reduce),
                List.of(reduce),
                List.of(reduce));
        refused(
                "rank 1, all: is BARRIER where rank 0 enters ALL_REDUCE",
                List.of(reduce),
                List.of(all(CollectiveKind.BARRIER)),
                List.of(reduce),
                List.of(reduce));
        refused(
                "rank 0, send: waits for itself or for a step that does, allowed: an acyclic trace",
                List.of(compute(1, 1), new TraceStep.Send("send", List.of(0), 2, 0, 1)),
                List.of(),
                List.of(),
                List.of());
        refused("t: nothing is sent between pods", List.of(compute(1)), List.of(), List.of(), List.of());
    }

    @Test
    void refusesARankInAPodThatDoesNotExist() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> TraceInstance.of(trace(List.of(), List.of(), List.of(), List.of(), List.of()), PLACEMENT))
                .withMessage("rank 4 sits in pod 2, allowed: pods 0 to 1 with 2 ranks each");
    }

    @SafeVarargs
    private static void refused(String message, List<TraceStep>... ranks) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TraceInstance.of(trace(ranks), PLACEMENT))
                .withMessageStartingWith(message);
    }

    @SafeVarargs
    private static ExecutionTrace trace(List<TraceStep>... ranks) {
        return new ExecutionTrace("t", List.of(ranks), List.of());
    }

    private static TraceStep compute(double seconds, Integer... after) {
        return new TraceStep.Compute("c", List.of(after), seconds);
    }

    private static TraceStep all(CollectiveKind kind, Integer... after) {
        return new TraceStep.Collective("all", List.of(after), kind, ALL, 60);
    }

    private static double seconds(DeltaInstance instance, int circuits) {
        assertThat(instance.circuitBytesPerSecond()).isCloseTo(10, within(1e-9));
        return new Simulator(instance).makespanSeconds(new Topology(List.of(circuits)), Rates.FAIR);
    }
}
