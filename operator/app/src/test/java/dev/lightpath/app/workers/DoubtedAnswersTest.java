package dev.lightpath.app.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lightpath.app.workers.WorkersMeter.Ending;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.DeltaSolution;
import dev.lightpath.proto.solver.v1alpha1.Solution;
import dev.lightpath.worker.wire.SearchCodec;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What of the answer of a worker is believed. */
final class DoubtedAnswersTest extends WorkerTrial {
    /** What a worker may say that is not so. */
    enum Lie {
        SHORTER(said -> said.setMakespanSeconds(said.getMakespanSeconds() / 2)),
        NO_TIME(said -> said.setMakespanSeconds(Double.NaN)),
        TOO_MANY_CIRCUITS(said -> said.setCircuits(0, 1000)),
        NO_CIRCUITS(said -> said.setCircuits(0, 0)),
        TOO_MANY_COUNTS(said -> said.addCircuits(1)),
        NO_COUNTS(Solution.Builder::clearCircuits),
        A_BOUND_ABOVE(said -> said.setLowerBoundSeconds(said.getMakespanSeconds() * 2)),
        NO_BOUND(said -> said.setLowerBoundSeconds(Double.NaN)),
        A_PROOF_WITH_A_GAP(said -> said.setProved(true).setLowerBoundSeconds(said.getMakespanSeconds() / 2)),
        A_PORT_BOUND_ABOVE(said -> said.setPortBound(Integer.MAX_VALUE)),
        A_PORT_BOUND_BELOW_NOTHING(said -> said.setProved(false).setPortBound(-1));

        private final UnaryOperator<Solution.Builder> told;

        Lie(UnaryOperator<Solution.Builder> told) {
            this.told = told;
        }
    }

    @ParameterizedTest
    @EnumSource(Lie.class)
    void aLieIsRefusedAndAnotherWorkerAsked(Lie lie) throws Exception {
        Solution truth = SearchCodec.solution(new DeltaPlanner().solve(SMALL, SMALL_GOAL, SMALL_LIMITS));
        ScriptedWorker liar = scripted(
                FIRST,
                (question, to) -> ScriptedWorker.answer(
                        to, lie.told.apply(truth.toBuilder()).build()));
        ScriptedWorker honest = scripted(SECOND, (question, to) -> ScriptedWorker.answer(to, truth));
        WorkerPlanner planner = planner(LIMIT, FIRST, SECOND);
        answersLikeThePlanner(planner);
        answersLikeThePlanner(planner);
        answersLikeThePlanner(planner);
        assertThat(liar.asked()).hasSize(1);
        assertThat(honest.asked()).hasSize(3);
        assertThat(tries).isEqualTo(Map.of(Ending.WRONG, 1, Ending.ANSWERED, 3));
        assertThat(here).hasValue(0);
    }

    /** Its figures are right; but no search would have ended there. */
    @Test
    void anAnswerThatIsWorseThanNoSearchIsRefused() throws Exception {
        List<Integer> ones = Collections.nCopies(LARGE.groups().size(), 1);
        double seconds = new dev.lightpath.planner.delta.simulation.Simulator(LARGE)
                .makespanSeconds(
                        new dev.lightpath.planner.delta.model.Topology(ones),
                        LARGE_GOAL.algorithm().rates());
        scripted(
                FIRST,
                (question, to) -> ScriptedWorker.answer(
                        to,
                        Solution.newBuilder()
                                .addAllCircuits(ones)
                                .setMakespanSeconds(seconds)
                                .build()));
        stop.set(false);
        CompletableFuture<DeltaSolution> answer = large(planner(LONG_ENOUGH_TO_BEGIN, FIRST));
        await().atMost(LIMIT).until(() -> tries(Ending.WRONG) > 0);
        aSearchRunsHere();
        stop.set(true);
        assertThat(of(answer).makespanSeconds()).isLessThan(seconds);
        assertThat(tries(Ending.WRONG)).isEqualTo(1);
    }

    @Test
    void anAnswerOfHundredMegabytesIsRefused() throws Exception {
        scripted(
                FIRST,
                (question, to) -> ScriptedWorker.answer(
                        to,
                        Solution.newBuilder()
                                .addAllCircuits(Collections.nCopies(100 << 20, 1))
                                .build()));
        worker(SECOND, 1);
        WorkerPlanner planner = planner(LIMIT, FIRST, SECOND);
        answersLikeThePlanner(planner);
        answersLikeThePlanner(planner);
        assertThat(tries).isEqualTo(Map.of(Ending.WRONG, 1, Ending.ANSWERED, 2));
    }
}
