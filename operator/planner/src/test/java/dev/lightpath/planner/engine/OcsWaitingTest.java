package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A job that waits for nodes, beside placed ones to which ports are lent meanwhile. */
class OcsWaitingTest {
    private static final Duration HOLD = Duration.ofSeconds(40);
    private static final Workload STARTING = new Workload.LightOnly();
    private static final Workload RUNNING = new Workload.Pods(new TreeSet<>(List.of("somewhere")), false);

    /** Two replicas of a stage of a node, whose iteration is the shorter the more circuits join them. */
    private static Demand.Traffic twins() {
        return twins(2);
    }

    /** The same of so many micro-batches. */
    static Demand.Traffic twins(int microBatches) {
        return Gpt7b.traffic(Parallelism.ofDegrees(8, 1, 2, 1, 1), new Batch(microBatches, 1, 1024, true), 1);
    }

    private static Prediction prediction(ToyOcs ocs, SliceId id) {
        return ocs.ledger.get(id).allocation().orElseThrow().prediction().orElseThrow();
    }

    private static boolean placed(Deliberation rest, SliceId id) {
        return rest.slices().get(id).placement() instanceof Placement.Placed;
    }

    /**
     * Two pods of two nodes, four ports each; {@code first} has left, {@code second} has no pods, one node is out of
     * order.
     */
    private record Scene(ToyOcs ocs, SliceId second, SliceId waiting) {
        static Scene of() {
            ToyOcs ocs = ToyOcs.logical(2, 2, 2, DeviceKind.ANY_TO_ANY, 2);
            SliceId first = ocs.wishTraffic("first", twins(), 0, true, STARTING);
            ocs.now = ocs.now.plusSeconds(1);
            SliceId second = ocs.wishTraffic("second", twins(), 0, true, STARTING);
            Deliberation both = ocs.settleAfter(HOLD);
            assertThat(placed(both, first) && placed(both, second)).isTrue();
            assertThat(prediction(ocs, second).circuits()).containsExactly(2);
            String node = ocs.nodes(first).getFirst().getFirst();
            ocs.nodeSignals.put(node, List.of(new Signal(new Subject.OfNode(node), "NodeNotReady", Duration.ZERO)));
            ocs.now = ocs.now.plusSeconds(1);
            SliceId waiting = ocs.wishTraffic("waiting", twins(), 0, true, STARTING);
            ocs.unwish(first);
            ocs.settleAfter(HOLD);
            ocs.forget(first);
            return new Scene(ocs, second, waiting);
        }
    }

    @Test
    void whatIsLentUntilARestartIsNotLentWhileSomebodyWaits() {
        Scene scene = Scene.of();
        ToyOcs ocs = scene.ocs();
        Deliberation rest = ocs.settleAfter(HOLD);
        assertThat(rest.slices().get(scene.waiting()).placement())
                .isInstanceOfSatisfying(
                        Placement.Unplaced.class,
                        why -> assertThat(why.reason()).isEqualTo(Reason.INSUFFICIENT_CAPACITY));
        ocs.wishTraffic("second", twins(), 0, true, RUNNING);
        ocs.nodeSignals.clear();
        assertThat(placed(ocs.settleAfter(HOLD), scene.waiting())).isTrue();
    }

    @Test
    void whoMayGiveBackAtAnyTimeIsLentPortsMeanwhile() {
        Scene scene = Scene.of();
        ToyOcs ocs = scene.ocs();
        ocs.reconfigure(scene.second(), Reconfiguration.LIVE);
        ocs.settleAfter(HOLD);
        assertThat(prediction(ocs, scene.second()).circuits()).containsExactly(4);
        ocs.nodeSignals.clear();
        assertThat(placed(ocs.settleAfter(HOLD), scene.waiting())).isTrue();
        assertThat(prediction(ocs, scene.second()).circuits()).containsExactly(2);
    }

    @Test
    void nobodyIsKeptSmallForAJobThatNeverFits() {
        Scene scene = Scene.of();
        ToyOcs ocs = scene.ocs();
        ocs.forget(scene.waiting());
        ocs.wishTraffic(
                "giant",
                new Demand.Traffic(
                        twins().iteration(),
                        Parallelism.ofDegrees(8, 3, 2, 1, 1),
                        OptionalInt.of(1),
                        twins().goal(),
                        twins().timeLimit()),
                0,
                true,
                STARTING);
        ocs.settleAfter(HOLD);
        assertThat(prediction(ocs, scene.second()).circuits()).containsExactly(4);
    }
}
