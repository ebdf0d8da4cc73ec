package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.delta.simulation.BuiltIteration;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.SliceId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A job whose light never moves once it is lit, on pods whose free ports cannot hold all that DELTA wants: three
 * circuits from pod 1 to pod 0 and one from there to pod 2, which has a fibre to the first switch only. A neighbour has
 * the port of pod 0 on the fourth.
 */
class OcsNeverMovedTest {
    private static final List<List<Integer>> PODS_OF_SWITCH =
            List.of(List.of(0, 1, 2), List.of(0, 1), List.of(0, 1), List.of(0, 1, 3), List.of(0, 3));

    private static Demand.Traffic stages(int stages, int replicas) {
        return Gpt7b.traffic(Parallelism.ofDegrees(8, stages, replicas, 1, 1), new Batch(4, 1, 1024, true), 1);
    }

    private static ToyOcs fabric() {
        ToyOcs ocs = ToyOcs.logical(4, 1, PODS_OF_SWITCH.size(), DeviceKind.ANY_TO_ANY, 1);
        ocs.wiring.wireOnly(PODS_OF_SWITCH);
        OcsPod hub = ocs.pods.getFirst();
        ocs.pods.set(0, new OcsPod(hub.name(), 0, 16, hub.ports(), hub.nodes(), true));
        ocs.moreNodes.put(hub.name(), List.of("node-0-1"));
        ocs.answering = false;
        return ocs;
    }

    /** Lets a solver say that these counts are best for whatever is asked. */
    private static Deliberation answer(ToyOcs ocs, List<Integer> circuits) {
        Deliberation rest = ocs.settle();
        rest.questions().forEach((digest, asked) -> ocs.answers.put(digest, found(asked.question(), circuits)));
        return ocs.settle();
    }

    private static TopologyAnswer found(TopologyQuestion question, List<Integer> circuits) {
        BuiltIteration built = question.build();
        Prediction of = question.predict(built, circuits, 0);
        return new TopologyAnswer.Found(
                new Prediction(
                        question.digest(),
                        of.circuits(),
                        of.iterationSeconds(),
                        of.lowerBoundSeconds(),
                        of.nct(),
                        of.ports(),
                        of.portBudget(),
                        true,
                        of.bestSeconds()),
                Optional.of(built));
    }

    /** What the job is given beside a neighbour whose light may move then. */
    private static List<Integer> circuits(Reconfiguration ofNeighbour) {
        ToyOcs ocs = fabric();
        ocs.wiring.close(1, true);
        ocs.wiring.close(2, true);
        SliceId neighbour = ocs.wishTraffic("neighbour", stages(1, 2));
        ocs.reconfigure(neighbour, ofNeighbour);
        answer(ocs, List.of(1));
        assertThat(ocs.recorded(neighbour).on("ocs-03")).hasSize(1);
        ocs.wiring.close(1, false);
        ocs.wiring.close(2, false);
        SliceId job = ocs.wishTraffic("never", stages(3, 1));
        ocs.reconfigure(job, Reconfiguration.NEVER);
        Deliberation rest = answer(ocs, List.of(3, 1));
        assertThat(rest.slices().get(job).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(ocs.cubes(job)).containsExactly("pod-01", "pod-00", "pod-02");
        return ocs.ledger
                .get(job)
                .allocation()
                .orElseThrow()
                .prediction()
                .orElseThrow()
                .circuits();
    }

    @Test
    void itIsGivenAllThatIsFreeWhereNotAllThatIsWantedIs() {
        assertThat(circuits(Reconfiguration.NEVER)).containsExactly(2, 1);
    }

    @Test
    void neighboursWhoseLightMayMoveMakeRoomForAllThatIsWanted() {
        assertThat(circuits(Reconfiguration.LIVE)).containsExactly(3, 1);
    }
}
