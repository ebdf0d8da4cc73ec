package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.Origin.Planner;
import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who gets a seat, who makes way, and who keeps his. */
class FabricEngineSeatingTest {
    private ToyRing ring = ToyRing.of(16, 2);

    @Test
    void aShortageSaysHowManyNodesAreFreeAndHowManyFollowOneAnother() {
        ToyRing ring = ToyRing.of(16, 2);
        ring.sits("a", new int[] {0, 1, 2});
        ring.sits("b", new int[] {6, 7, 8});
        ring.sits("c", new int[] {12, 13, 14});
        SliceId wish = ring.wish("wish", 1, 32);
        assertThat(ring.step().slices().get(wish).placement())
                .isInstanceOfSatisfying(
                        SliceVerdict.Placement.Unplaced.class,
                        unplaced -> assertThat(unplaced.message())
                                .contains("7 are free, of which at most 3 follow one another within reach 2"));
    }

    @Test
    void aNodeThatAnotherLeaderMayUseIsNotSaidToHaveOtherPods() {
        ToyRing ring = ToyRing.of(8, 2);
        for (int node = 0; node < 5; node++) {
            ring.closed.add("n" + node);
        }
        SliceId wish = ring.wish("wish", 1, 16);
        assertThat(ring.step().slices().get(wish).placement())
                .isInstanceOfSatisfying(
                        SliceVerdict.Placement.Unplaced.class,
                        unplaced -> assertThat(unplaced.message())
                                .contains(
                                        "0 busy with other pods, 5 new here or held by jobs on fabrics that others lead, ",
                                        "; 3 are free"));
        ring.busy.add("n0");
        ring.cordoned.add("n1");
        assertThat(ring.step().slices().get(wish).placement())
                .isInstanceOfSatisfying(
                        SliceVerdict.Placement.Unplaced.class,
                        unplaced -> assertThat(unplaced.message())
                                .as("each once")
                                .contains("1 busy with other pods, 1 cordoned, 3 new here or held by jobs on fabrics"));
        ring.busy.clear();
        ring.cordoned.clear();
        ring.closed.clear();
        assertThat(ring.settle().slices().get(wish).placement()).isInstanceOf(SliceVerdict.Placement.Placed.class);
    }

    @Test
    void aWishBeyondTheWholeFabricIsToldThatItNeverFits() {
        ToyRing ring = ToyRing.of(16, 2);
        SliceId wish = ring.wish("wish", 5, 16);
        assertThat(ring.step().slices().get(wish).placement())
                .isInstanceOfSatisfying(SliceVerdict.Placement.Unplaced.class, unplaced -> {
                    assertThat(unplaced.forever()).isTrue();
                    assertThat(unplaced.message()).contains("take 20 nodes", "has 16", "at most 64 GPUs");
                });
        SliceId fits = ring.wish("fits", 4, 16);
        assertThat(ring.settle().slices().get(fits).placement()).isInstanceOf(SliceVerdict.Placement.Placed.class);
    }

    @Test
    void placesByRacksWhereARackHoldsSeveralNodes() {
        ring = new ToyRing(new RingFabric(RingShape.RING, 32, 3, 4, 2, 32));
        SliceId a = ring.wish("a", 4, 16);
        SliceVerdict verdict = ring.settle().slices().get(a);
        assertThat(verdict.siting()).hasValueSatisfying(siting -> {
            assertThat(siting.crossTorRatio()).isZero();
            assertThat(siting.spareNodes()).isPositive();
        });
        assertThat(origin(a)).isEqualTo(Planner.RACK);
    }

    @Test
    void leavesSpareRacksBetweenTheSets() {
        ring = new ToyRing(new RingFabric(RingShape.RING, 32, 3, 4, 2, 32));
        SliceId a = ring.wish("a", 4, 16);
        ring.settle();
        List<List<Integer>> sets = ring.positions(a);
        int first = sets.getFirst().getLast() % 16;
        int second = sets.get(2).getFirst() % 16;
        assertThat(Math.abs(second - first)).isGreaterThan(1);
    }

    @Test
    void servesThePriorityFirst() {
        SliceId low = ring.wish("low", 3, 16);
        ring.priority = 5;
        SliceId high = ring.wish("high", 3, 16);
        Deliberation settled = ring.settle();
        assertThat(settled.slices().get(high).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(unplaced(settled, low)).contains("wanted 48 GPUs", "12 allocated to jobs (team/high 12)");
    }

    @Test
    void countsJobsOfOtherNamespacesAndNamesThemNot() {
        ring.wish("ours", 1, 8);
        ring.namespace = "rivals";
        ring.wish("secret", 2, 16);
        ring.wish("hidden", 1, 8);
        ring.namespace = "team";
        ring.settle();
        SliceId low = ring.wish("low", 3, 16);
        assertThat(unplaced(ring.settle(), low))
                .contains("12 allocated to jobs (team/ours 2, other namespaces 10)")
                .doesNotContain("rivals", "secret");
    }

    @Test
    void servesTheOlderAmongEquals() {
        SliceId older = ring.wish("z", 3, 16);
        ring.pass(Duration.ofSeconds(1));
        SliceId younger = ring.wish("a", 3, 16);
        Deliberation settled = ring.settle();
        assertThat(settled.slices().get(older).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(unplaced(settled, younger)).contains("team/z 12");
    }

    @Test
    void neverTakesFromAJobThatRuns() {
        SliceId low = ring.wish("low", 3, 16);
        ring.settle();
        ring.priority = 9;
        SliceId high = ring.wish("high", 3, 16);
        Deliberation settled = ring.settle();
        assertThat(settled.slices().get(low).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(unplaced(settled, high)).isNotEmpty();
    }

    @Test
    void givesTheLastSpareToThePriority() {
        ring = ToyRing.of(9, 3);
        ring.reconfiguration = Reconfiguration.NEVER;
        SliceId low = ring.sits("low", new int[] {0, 1, 2, 3});
        ring.priority = 1;
        SliceId high = ring.sits("high", new int[] {5, 6, 7, 8});
        ring.settle();
        ring.notReady.add("n2");
        ring.notReady.add("n7");
        ring.policy = withoutMassFailure();
        Deliberation settled = ring.settle();
        assertThat(settled.slices().get(high).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(ring.positions(high).getFirst()).contains(4);
        assertThat(settled.slices().get(low).placement()).isInstanceOfSatisfying(Placement.Faulted.class, faulted -> {
            assertThat(faulted.degraded()).isTrue();
            assertThat(faulted.waitsFor()).contains("no spare node within reach", "team/high 4");
        });
    }

    @Test
    void keepsTheSpareForARepairThatWaitsForItsKey() {
        ring = ToyRing.of(9, 3);
        SliceId a = ring.sits("a", new int[] {0, 1, 2, 3});
        ring.settle();
        ring.amend(a, true, running(a), false);
        ring.wish("a", 1, 16, running(a), new Replacement.WithWorkload(), true);
        ring.notReady.add("n2");
        Placement waiting = ring.settle().slices().get(a).placement();
        assertThat(waiting)
                .isInstanceOfSatisfying(
                        Placement.Faulted.class,
                        faulted -> assertThat(faulted.waitsFor()).contains("waits for the pods", "will join"));
        SliceId b = ring.wish("b", 5, 4);
        assertThat(unplaced(ring.settle(), b)).contains("usable 16 GPUs");
    }

    @Test
    void letsAnotherJobMakeWayWhenNoSpareIsNear() {
        SliceId a = ring.sits("a", new int[] {0, 1, 2, 3});
        SliceId b = ring.sits("b", new int[] {4, 5, 6, 7});
        ring.sits("c", new int[] {12, 13, 14, 15});
        ring.settle();
        ring.notReady.add("n1");
        ring.cordoned.addAll(List.of("n9", "n10", "n11"));
        Deliberation settled = ring.settle();
        assertThat(ring.positions(a)).containsExactly(List.of(0, 2, 3, 4));
        assertThat(ring.positions(b)).containsExactly(List.of(5, 6, 7, 8));
        assertThat(origin(b)).isEqualTo(Planner.MINIMAL_REPAIR);
        assertThat(settled.slices().get(a).light().qualified()).isTrue();
    }

    /** The records are written one after the other, and passes between them see one of them. */
    @Test
    void aNodeThatPassesToAnotherJobDoesNotLoopBackBetweenTheirRecords() {
        assertThat(changesOfTheNodeThatPasses(true)).isEqualTo(changesOfTheNodeThatPasses(false));
    }

    private static long changesOfTheNodeThatPasses(boolean oneByOne) {
        ToyRing ring = ToyRing.of(16, 2);
        ring.sits("a", new int[] {0, 1, 2, 3});
        ring.sits("b", new int[] {4, 5, 6, 7});
        ring.sits("c", new int[] {12, 13, 14, 15});
        ring.settle();
        ring.oneByOne = oneByOne;
        ring.writesLate = true;
        ring.notReady.add("n1");
        ring.cordoned.addAll(List.of("n9", "n10", "n11"));
        ring.decisions.clear();
        ring.settle();
        return ring.decisions.stream()
                .flatMap(decision ->
                        decision instanceof Decision.Apply apply ? apply.stage().changes().stream() : Stream.empty())
                .filter(change -> change.device().device().equals("n4"))
                .count();
    }

    /** Nobody makes that node dark, and nobody sits there. */
    @Test
    void letsAJobMakeWayThatLeftANodeWhoseDeviceIsSilent() {
        SliceId a = ring.sits("a", new int[] {0, 1, 2, 3});
        SliceId b = ring.sits("b", new int[] {4, 5, 6, 7});
        ring.sits("c", new int[] {12, 13, 14, 15});
        ring.policy = withoutMassFailure();
        ring.settle();
        ring.silent.add("n5");
        ring.settle();
        ring.pass(Duration.ofSeconds(2));
        ring.settle();
        assertThat(ring.positions(b)).containsExactly(List.of(4, 6, 7, 8));
        assertThat(ring.ledger.get(b).allocation().orElseThrow().releasing()).containsExactly("n5");
        ring.notReady.add("n1");
        ring.cordoned.addAll(List.of("n10", "n11"));
        Deliberation settled = ring.settle();
        assertThat(ring.positions(a)).containsExactly(List.of(0, 2, 3, 4));
        assertThat(ring.positions(b)).containsExactly(List.of(6, 7, 8, 9));
        assertThat(settled.slices().get(a).light().qualified()).isTrue();
        ring.silent.clear();
        ring.settle();
        assertThat(ring.ledger.get(b).allocation().orElseThrow().releasing()).isEmpty();
        assertThat(ring.bundles.get("n5")).containsOnly(BundleState.LOOPBACK);
    }

    @Test
    void letsGoOfANodeThatOneGroupLeftThoughAnotherFindsNoSpare() {
        SliceId a = ring.sits("a", new int[] {0, 1, 2, 3}, new int[] {8, 9, 10, 11});
        ring.settle();
        ring.notReady.add("n1");
        ring.cordoned.addAll(List.of("n4", "n5", "n6", "n7", "n13", "n14", "n15"));
        ring.settle();
        ring.notReady.add("n9");
        Deliberation settled = ring.settle();
        assertThat(ring.positions(a)).containsExactly(List.of(0, 1, 2, 3), List.of(8, 10, 11, 12));
        assertThat(settled.slices().get(a).placement()).isInstanceOf(Placement.Faulted.class);
        assertThat(ring.ledger.get(a).allocation().orElseThrow().releasing()).isEmpty();
    }

    @Test
    void leavesAJobAloneThatMayNotMove() {
        SliceId a = ring.sits("a", new int[] {0, 1, 2, 3});
        ring.reconfiguration = Reconfiguration.NEVER;
        SliceId b = ring.sits("b", new int[] {4, 5, 6, 7});
        ring.sits("c", new int[] {12, 13, 14, 15});
        ring.settle();
        ring.notReady.add("n1");
        ring.cordoned.addAll(List.of("n9", "n10", "n11"));
        Deliberation settled = ring.settle();
        assertThat(ring.positions(b)).containsExactly(List.of(4, 5, 6, 7));
        assertThat(settled.slices().get(a).placement()).isInstanceOfSatisfying(Placement.Faulted.class, faulted -> {
            assertThat(faulted.degraded()).isTrue();
            assertThat(faulted.relocatable()).isFalse();
        });
    }

    @Test
    void keepsTheRoomOfAJobThatIsPlacedAnew() {
        SliceId a = withRoomFarAwayOnly();
        ring.notReady.add("n1");
        Placement degraded = ring.settle().slices().get(a).placement();
        assertThat(degraded)
                .isInstanceOfSatisfying(
                        Placement.Faulted.class,
                        faulted -> assertThat(faulted.relocatable()).isTrue());
        ring.pass(Duration.ofSeconds(1));
        SliceId thief = ring.wish("thief", 1, 16);
        ring.amend(a, false, new Workload.LightOnly(), true);
        assertThat(unplaced(ring.settle(), thief)).isNotEmpty();
        SliceId again = ring.again(a);
        Deliberation settled = ring.settle();
        assertThat(settled.slices().get(again).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(ring.positions(again)).containsExactly(List.of(100, 101, 102, 103));
        assertThat(settled.slices().get(thief).placement()).isInstanceOf(Placement.Unplaced.class);
    }

    @Test
    void gathersScatteredSpareNodesForAWish() {
        ring.sits("a", new int[] {2, 3, 4, 5});
        ring.sits("b", new int[] {8, 9, 10, 11});
        ring.settle();
        SliceId wish = ring.wish("wish", 2, 16);
        Deliberation settled = ring.settle();
        assertThat(settled.slices().get(wish).placement()).isInstanceOf(Placement.Placed.class);
        long moved = ring.ledger.values().stream()
                .flatMap(entry -> entry.allocation().orElseThrow().origin().stream())
                .filter(origin -> origin.planner() == Planner.COMPACTION)
                .count();
        assertThat(moved).isOne();
        assertThat(ring.litNodes()).hasSize(16);
    }

    /** What a node without power was left with is read back dark when it has power again, perhaps in days. */
    @Test
    void gathersSpareNodesThoughALeftNodeIsSilent() {
        ring = ToyRing.of(20, 2);
        ring.sits("a", new int[] {2, 3, 4, 5});
        ring.sits("b", new int[] {8, 9, 10, 11});
        SliceId c = ring.sits("c", new int[] {14, 15, 16, 17});
        ring.cordoned.add("n19");
        ring.settle();
        ring.silent.add("n14");
        ring.settle();
        ring.pass(Duration.ofMillis(250));
        ring.settle();
        assertThat(ring.ledger.get(c).allocation().orElseThrow().releasing()).containsExactly("n14");
        SliceId wish = ring.wish("wish", 1, 16);
        ring.pass(RingState.REPAIRS_FIRST);
        Deliberation settled = ring.settle();
        assertThat(settled.slices().get(wish).placement()).isInstanceOf(Placement.Placed.class);
    }

    @Test
    void looksForRoomForOthersOnlyOnceAFaultHasHadItsAnswer() {
        ring = ToyRing.of(20, 2);
        List<SliceId> seated = List.of(
                ring.sits("a", new int[] {2, 3, 4, 5}),
                ring.sits("b", new int[] {8, 9, 10, 11}),
                ring.sits("c", new int[] {14, 15, 16, 17}));
        ring.cordoned.add("n19");
        ring.settle();
        List<List<List<Integer>>> before = seated.stream().map(ring::positions).toList();
        SliceId wish = ring.wish("wish", 1, 16);
        ring.notReady.add("n13");
        Deliberation young = ring.settle();
        assertThat(young.slices().get(wish).placement()).isInstanceOf(Placement.Unplaced.class);
        assertThat(seated.stream().map(ring::positions)).containsExactlyElementsOf(before);
        ring.pass(RingState.REPAIRS_FIRST);
        assertThat(ring.settle().slices().get(wish).placement()).isInstanceOf(Placement.Placed.class);
    }

    @Test
    void movesNobodyUnderRunningPodsUnlessLive() {
        SliceId a = ring.sits("a", new int[] {2, 3, 4, 5});
        SliceId b = ring.sits("b", new int[] {8, 9, 10, 11});
        ring.settle();
        ring.amend(a, true, running(a), false);
        ring.amend(b, true, running(b), false);
        SliceId wish = ring.wish("wish", 2, 16);
        assertThat(unplaced(ring.settle(), wish)).contains("usable 16 GPUs");
        ring.reconfiguration = Reconfiguration.LIVE;
        ring.wish("b", 1, 16, running(b), new Replacement.WithWorkload(), true);
        assertThat(unplaced(ring.settle(), wish)).contains("once the pods of jobs that left nodes are gone");
        ring.wish("b", 1, 16, running(b), new Replacement.WithWorkload(), true);
        assertThat(ring.settle().slices().get(wish).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(ring.positions(a)).containsExactly(List.of(2, 3, 4, 5));
    }

    @Test
    void movesNobodyWhenThatSeatsNobody() {
        ring.sits("a", new int[] {2, 3, 4, 5});
        ring.sits("b", new int[] {8, 9, 10, 11});
        SliceId wish = ring.wish("wish", 3, 16);
        assertThat(unplaced(ring.settle(), wish)).contains("usable 16 GPUs");
        ring.decisions.clear();
        for (int pass = 0; pass < 1000; pass++) {
            ring.step();
        }
        assertThat(ring.decisions).allMatch(Decision.Rest.class::isInstance);
    }

    @Test
    void movesNothingWhenANodeRecovers() {
        SliceId a = ring.wish("a", 2, 16);
        ring.settle();
        String victim = ring.groups(a).getFirst().get(1);
        ring.notReady.add(victim);
        ring.settle();
        List<List<String>> repaired = ring.groups(a);
        ring.notReady.clear();
        ring.settle();
        ring.pass(Duration.ofMinutes(2));
        ring.decisions.clear();
        ring.settle();
        assertThat(ring.groups(a)).isEqualTo(repaired).doesNotContain(List.of(victim));
        assertThat(ring.decisions).allMatch(Decision.Rest.class::isInstance);
    }

    @Test
    void writesALostRecordAgainAsItWas() {
        SliceId a = ring.wish("a", 2, 16);
        ring.settle();
        Allocation given = ring.ledger.get(a).allocation().orElseThrow();
        ring.ledger.put(a, new LedgerEntry(Optional.of(given), "new", true, true));
        ring.decisions.clear();
        SliceId thief = ring.wish("thief", 4, 16);
        Deliberation rest = ring.settle();
        assertThat(ring.ledger.get(a))
                .isEqualTo(
                        new LedgerEntry(Optional.of(given), ring.ledger.get(a).version()));
        assertThat(unplaced(rest, thief)).contains("8 allocated to jobs");
        assertThat(ring.decisions).noneMatch(Decision.Apply.class::isInstance);
    }

    static FabricPolicy withoutMassFailure() {
        return Policies.massFailure(FabricPolicy.standard(), 100);
    }

    private Planner origin(SliceId id) {
        return ring.ledger
                .get(id)
                .allocation()
                .orElseThrow()
                .origin()
                .orElseThrow()
                .planner();
    }

    private Workload running(SliceId id) {
        return new Workload.Pods(
                new TreeSet<>(ring.ledger.get(id).allocation().orElseThrow().nodes()), false);
    }

    private static String unplaced(Deliberation deliberation, SliceId id) {
        return ((Placement.Unplaced) deliberation.slices().get(id).placement()).message();
    }

    /** Nobody is placed on a ring that is being deleted. */
    @Test
    void aJobOnARetiringRingIsNotSentElsewhereOnIt() {
        SliceId a = withRoomFarAwayOnly();
        ring.retiring = true;
        ring.notReady.add("n1");
        assertThat(ring.settle().slices().get(a).placement())
                .isInstanceOfSatisfying(Placement.Faulted.class, faulted -> {
                    assertThat(faulted.degraded()).isTrue();
                    assertThat(faulted.relocatable()).isFalse();
                });
    }

    /** A job whose only other place is out of the reach of its own. */
    private SliceId withRoomFarAwayOnly() {
        ring = ToyRing.of(200, 2);
        SliceId a = ring.sits("a", new int[] {0, 1, 2, 3});
        for (int position = 4; position < 200; position++) {
            if (position < 100 || position > 103) {
                ring.cordoned.add("n" + position);
            }
        }
        ring.settle();
        return a;
    }
}
