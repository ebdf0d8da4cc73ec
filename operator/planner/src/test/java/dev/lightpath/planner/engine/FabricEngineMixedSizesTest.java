package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.world.Origin.Planner;
import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Jobs of several group sizes on one ring: who makes way for whom. */
class FabricEngineMixedSizesTest {

    private static ToyRing line(int positions) {
        return new ToyRing(RingFabric.of(RingShape.LINE, positions, 2, 4));
    }

    @Test
    void twoJobsThatTakeSeatsOfEachOtherMoveInTurns() {
        ToyRing ring = line(17);
        SliceId a = ring.sits("a", new int[] {0, 1, 2, 3}, new int[] {8, 9, 10, 11});
        SliceId b = ring.sits("b", new int[] {4, 5, 6, 7}, new int[] {12, 13, 14, 15});
        ring.settle();
        ring.notReady.add("n1");
        Deliberation settled = ring.settle();
        assertThat(ring.positions(a)).containsExactly(List.of(0, 2, 3, 4), List.of(9, 10, 11, 12));
        assertThat(ring.positions(b)).containsExactly(List.of(5, 6, 7, 8), List.of(13, 14, 15, 16));
        assertThat(settled.slices().get(a).light().qualified()).isTrue();
        assertThat(settled.slices().get(b).light().qualified()).isTrue();
    }

    @Test
    void aJobOfAnotherSizeMakesWayForARepair() {
        ToyRing ring = line(9);
        SliceId a = ring.sits("a", new int[] {0, 1, 2, 3});
        SliceId b = ring.sits("b", new int[] {4, 5});
        SliceId c = ring.sits("c", new int[] {7, 8});
        ring.settle();
        ring.notReady.add("n1");
        ring.policy = FabricEngineSeatingTest.withoutMassFailure();
        ring.settle();
        assertThat(ring.positions(a).getFirst()).startsWith(0, 2, 3);
        assertThat(ring.positions(b).getFirst()).contains(6);
        assertThat(origin(ring, b)).contains(Planner.MINIMAL_REPAIR);
        assertThat(ring.positions(c)).containsExactly(List.of(7, 8));
    }

    @Test
    void aJobOfAnotherSizeMakesRoomForAWish() {
        ToyRing ring = line(12);
        SliceId small = ring.sits("small", new int[] {4, 5});
        SliceId other = ring.sits("other", new int[] {8, 9, 10});
        ring.settle();
        SliceId wish = ring.wish("wish", 1, 24);
        Deliberation settled = ring.settle();
        assertThat(settled.slices().get(wish).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(origin(ring, small)).contains(Planner.COMPACTION);
        assertThat(origin(ring, other)).isEmpty();
    }

    @Test
    void noMoreGroupsMoveUnderRunningPodsThanTheBudgetAllows() {
        ToyRing ring = line(17);
        SliceId a = ring.sits("a", new int[] {0, 1, 2, 3});
        ring.reconfiguration = Reconfiguration.LIVE;
        SliceId b = ring.sits("b", new int[] {4, 5, 6, 7}, new int[] {8, 9, 10, 11}, new int[] {12, 13, 14, 15});
        ring.settle();
        ring.amend(
                b,
                true,
                new Workload.Pods(
                        new TreeSet<>(
                                ring.ledger.get(b).allocation().orElseThrow().nodes()),
                        false),
                false);
        ring.notReady.add("n1");
        Deliberation settled = ring.settle();
        assertThat(ring.positions(b).getFirst())
                .as("three groups would have to move, a quarter of three is none")
                .containsExactly(4, 5, 6, 7);
        assertThat(settled.slices().get(a).placement()).isInstanceOf(Placement.Faulted.class);
    }

    @Test
    void aRepairKeepsARankBelowItsRackWhereASpareThereIsInReach() {
        ToyRing ring = new ToyRing(new RingFabric(RingShape.LINE, 24, 3, 4, 2, 24));
        SliceId a = ring.sits("a", new int[] {4, 6, 7}, new int[] {16, 18, 20});
        SliceId b = ring.sits("b", new int[] {8, 9, 10});
        ring.settle();
        ring.notReady.add("n18");
        ring.settle();
        assertThat(ring.positions(a).get(1)).doesNotContain(18);
        assertThat(ring.positions(a).get(1).getFirst())
                .as("rank 0 stays below the rack of rank 0 of its partner")
                .isEqualTo(16);
        assertThat(ring.positions(a).get(1).getLast())
                .as("rank 2 moves below the rack of rank 2 of its partner, though 20 would not have had to move")
                .isEqualTo(19);
        assertThat(ring.positions(b)).containsExactly(List.of(8, 9, 10));
    }

    private static Optional<Planner> origin(ToyRing ring, SliceId id) {
        return ring.ledger.get(id).allocation().orElseThrow().origin().map(origin -> origin.planner());
    }

    /** Whoever labels his pods with a job of light only says whose they are, not that they are none. */
    @Test
    void nobodyMovesUnderPodsThatAreLabelledWithAJobOfLightOnly() {
        ToyRing ring = line(12);
        SliceId small = ring.sits("small", new int[] {4, 5});
        SliceId other = ring.sits("other", new int[] {8, 9, 10});
        holdOwnNodes(ring, small);
        holdOwnNodes(ring, other);
        ring.settle();
        SliceId wish = ring.wish("wish", 1, 24);
        assertThat(ring.settle().slices().get(wish).placement()).isInstanceOf(Placement.Unplaced.class);
        ring.amend(small, true, new Workload.LightOnly(), false);
        assertThat(ring.settle().slices().get(wish).placement()).isInstanceOf(Placement.Placed.class);
    }

    @Test
    void lightOfLabelledPodsCountsForTheBudget() {
        ToyRing ring = line(17);
        SliceId a = ring.sits("a", new int[] {0, 1, 2, 3});
        ring.reconfiguration = Reconfiguration.LIVE;
        SliceId b = ring.sits("b", new int[] {4, 5, 6, 7}, new int[] {8, 9, 10, 11}, new int[] {12, 13, 14, 15});
        ring.settle();
        holdOwnNodes(ring, b);
        ring.notReady.add("n1");
        Deliberation settled = ring.settle();
        assertThat(settled.slices().get(a).placement()).isInstanceOf(Placement.Faulted.class);
        ring.policy = Policies.budget(ring.policy, 100);
        ring.decisions.clear();
        ring.settle();
        assertThat(ring.decisions.stream()
                        .filter(Decision.Apply.class::isInstance)
                        .flatMap(decision -> ((Decision.Apply) decision).darkens().stream()))
                .contains("n4");
    }

    private static void holdOwnNodes(ToyRing ring, SliceId id) {
        Workload pods = new Workload.LightOnly(
                ring.ledger.get(id).allocation().orElseThrow().nodes());
        ring.amend(id, true, pods, false);
    }
}
