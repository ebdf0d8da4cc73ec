package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.torus.Shape;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A job on a ring and on switches between pods of its nodes. */
class TwoFabricsTest {
    private static final SliceId RING = RingInPods.onRing("llm");
    private static final SliceId SPINE = RingInPods.onSwitches("llm");

    private final RingInPods both = new RingInPods();
    private final ToyRing ring = both.ring;
    private final ToyOcs ocs = both.ocs;

    @Test
    void groupsOfAStageSitInThePodOfTheStage() {
        both.wish("llm", 1);
        Deliberation rest = ocs.settle();
        assertThat(rest.slices().get(RING).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(rest.slices().get(RING).light().qualified()).isTrue();
        assertThat(rest.slices().get(SPINE).light().qualified()).isTrue();
        assertGroupsSitInThePodsOfTheirStages();
    }

    @Test
    void aShortageOnTheRingCountsNodesThatJobsHoldOnTheSwitches() {
        ocs.wishTraffic("out", Gpt7b.traffic(Parallelism.ofDegrees(8, 2, 2, 1, 1), new Batch(8, 1, 4096, true), 1));
        ocs.settle();
        SliceId wish = ring.wish("wish", 6, 16);
        assertThat(ocs.settle().slices().get(wish).placement())
                .isInstanceOfSatisfying(
                        Placement.Unplaced.class,
                        unplaced -> assertThat(unplaced.message())
                                .contains("of 24 nodes", "4 held by jobs on other fabrics", "20 are free"));
    }

    private List<Integer> podsOfStages() {
        return ocs.ledger.get(SPINE).allocation().orElseThrow().groups().stream()
                .map(group -> group.members().getFirst().position())
                .toList();
    }

    private static void assertSits(List<Integer> group, int pod) {
        assertThat(group)
                .allSatisfy(position ->
                        assertThat(position / RingInPods.NODES_PER_POD).isEqualTo(pod));
    }

    private void assertGroupsSitInThePodsOfTheirStages() {
        List<Integer> pods = podsOfStages();
        List<List<Integer>> groups = ring.positions(RING);
        assertThat(groups).hasSameSizeAs(pods);
        for (int group = 0; group < groups.size(); group++) {
            assertSits(groups.get(group), pods.get(group));
        }
    }

    @Test
    void theRingWaitsForTheWishOfPods() {
        placesBothHalvesOrNone(true);
    }

    @Test
    void thePodsWaitForTheWishOfGroups() {
        placesBothHalvesOrNone(false);
    }

    /** The slices of a job are written one after the other, and the loop may look in between. */
    private void placesBothHalvesOrNone(boolean ringFirst) {
        both.wish("llm", 1);
        ring.slices.computeIfPresent(
                RING, (id, slice) -> slice.but().beside(Optional.of("spine")).build());
        ocs.slices.computeIfPresent(
                SPINE, (id, slice) -> slice.but().beside(Optional.of("ring-a")).build());
        SliceIntent late = ringFirst ? ocs.slices.remove(SPINE) : ring.slices.remove(RING);
        Deliberation half = ocs.settle();
        assertThat(half.slices().get(ringFirst ? RING : SPINE).placement())
                .isInstanceOfSatisfying(
                        Placement.Unplaced.class,
                        unplaced -> assertThat(unplaced.reason()).isEqualTo(Reason.AWAITING_PODS));
        (ringFirst ? ocs.slices : ring.slices).put(late.id(), late);
        Deliberation rest = ocs.settle();
        assertThat(rest.slices().get(RING).light().qualified()).isTrue();
        assertGroupsSitInThePodsOfTheirStages();
    }

    /** Its other fabric is described so that nobody can serve it: the world has none of that name. */
    @Test
    void groupsOfAJobWhoseOtherFabricIsRefusedWait() {
        both.wish("llm", 1);
        ring.slices.computeIfPresent(
                RING, (id, slice) -> slice.but().beside(Optional.of("spine")).build());
        ring.slices.put(SPINE, ocs.slices.get(SPINE));
        ring.ledger.put(SPINE, new LedgerEntry(Optional.empty(), "s"));
        Deliberation rest = ring.settle();
        assertThat(rest.slices().get(RING).placement())
                .isEqualTo(new Placement.Unplaced(Reason.AWAITING_PODS, "waits for its slice on fabric spine"));
        assertThat(rest.decision()).isInstanceOf(Decision.Rest.class);
        assertThat(ring.litNodes()).isEmpty();
    }

    @Test
    void aJobWhosePodsHaveNoSpareForItsGroupsAsksForOtherPods() {
        both.wish("llm", 2);
        ocs.settle();
        int pod = podsOfStages().getFirst();
        assertSits(ring.positions(RING).getFirst(), pod);
        int first = RingInPods.NODES_PER_POD * pod;
        for (int position = first; position < first + 3; position++) {
            ring.notReady.add("n" + position);
        }
        Deliberation rest = ocs.settleAfter(Duration.ofSeconds(2));
        assertThat(rest.slices().get(RING).placement())
                .isInstanceOfSatisfying(
                        Placement.Faulted.class,
                        faulted -> assertThat(faulted.degraded()).isTrue());
        assertThat(rest.slices().get(SPINE).placement())
                .isInstanceOfSatisfying(
                        Placement.Faulted.class,
                        faulted -> assertThat(faulted.relocatable()).isTrue());
    }

    @Test
    void jobsOfTheRingAloneKeepOutOfTheWay() {
        SliceId alone = ring.wish("alone", 4, 8);
        both.wish("llm", 1);
        Deliberation rest = ocs.settle();
        assertThat(rest.slices().get(alone).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(rest.slices().get(RING).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(ring.positions(alone).stream().flatMap(List::stream))
                .doesNotContainAnyElementsOf(
                        ring.positions(RING).stream().flatMap(List::stream).toList());
    }

    @Test
    void aFailedNodeIsReplacedWithinThePodOfItsStage() {
        both.wish("llm", 1);
        ocs.settle();
        int failed = ring.positions(RING).get(1).getFirst();
        ring.notReady.add("n" + failed);
        ocs.settleAfter(Duration.ofSeconds(2));
        assertThat(ring.positions(RING).get(1))
                .doesNotContain(failed)
                .allSatisfy(position -> assertThat(position / 4).isEqualTo(failed / 4));
    }

    @Test
    void whereThePodHasNoSpareTheJobSaysSo() {
        both.wish("llm", 2);
        ocs.settle();
        int failed = ring.positions(RING).getFirst().getFirst();
        ring.notReady.add("n" + failed);
        Deliberation rest = ocs.settleAfter(Duration.ofSeconds(2));
        assertThat(rest.slices().get(RING).placement()).isInstanceOf(Placement.Faulted.class);
        assertThat(((Placement.Faulted) rest.slices().get(RING).placement()).waitsFor())
                .contains("in the pod of its stage");
    }

    private SliceId wishOut() {
        return ocs.wishTraffic(
                "out", Gpt7b.traffic(Parallelism.ofDegrees(8, 2, 2, 1, 1), new Batch(8, 1, 4096, true), 1));
    }

    /** A torus of its own, whose pods are yet to come, on a fabric of cubes of the same nodes. */
    @Test
    void nodesOfATorusAreNotGivenAway() {
        SliceId torus = ring.sits("torus", new int[] {0, 1, 2, 3});
        SliceIntent was = ring.slices.get(torus);
        ring.slices.put(
                torus,
                was.but()
                        .fabric("cubes")
                        .demand(new Demand.TorusShape(Shape.parse("4x4x4")))
                        .build());
        SliceId wish = ring.wish("wish", 5, 16);
        ring.settle();
        assertThat(ring.ledger.get(wish).allocation().orElseThrow().nodes())
                .hasSize(20)
                .doesNotContain("n0", "n1", "n2", "n3");
    }

    @Test
    void aGroupIsRepairedThoughAnotherOfItsJobLostItsNodeForGood() {
        both.wish("llm", 1);
        ocs.settle();
        List<List<Integer>> groups = ring.positions(RING);
        int failed = groups.get(1).getFirst();
        int gone = groups.get(0).getFirst();
        int pod = gone / RingInPods.NODES_PER_POD;
        for (int position = pod * RingInPods.NODES_PER_POD;
                position < (pod + 1) * RingInPods.NODES_PER_POD;
                position++) {
            if (!groups.get(0).contains(position)) {
                ring.cordoned.add("n" + position);
            }
        }
        ring.names.remove(gone);
        ocs.goneNodes.add("n" + gone);
        ring.notReady.add("n" + failed);
        Deliberation rest = ocs.settleAfter(Duration.ofSeconds(2));
        assertThat(ring.positions(RING).get(1))
                .as("%s", rest.slices().get(RING).placement())
                .doesNotContain(failed);
        assertThat(ring.positions(RING).get(0)).isEqualTo(groups.get(0));
    }
}
