package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.health.Finding;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.world.Agreement;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Announcement;
import dev.lightpath.planner.world.Announcement.Kind;
import dev.lightpath.planner.world.Quota;
import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A job on a ring that asks to be asked makes room for another one once it agrees, and only as long as that waits. */
class RoomByAgreementTest {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final SliceId SMALL = new SliceId("team", "small");
    private static final SliceId OTHER = new SliceId("team", "other");
    private static final SliceId WISH = new SliceId("team", "wish");

    @Test
    void aMoveThatMakesRoomOnARingWaitsAndTheWishAfterIt() {
        ToyRing ring = new ToyRing(RingFabric.of(RingShape.LINE, 12, 2, 4));
        ring.policy = Policies.budget(ring.policy, 100);
        ring.reconfiguration = Reconfiguration.LIVE;
        SliceId small = ring.sits("small", new int[] {4, 5});
        ring.reconfiguration = Reconfiguration.NEVER;
        ring.sits("other", new int[] {8, 9, 10});
        ring.settle();
        Workload pods = new Workload.Pods(new TreeSet<>(List.of("n4", "n5")), false);
        ring.amend(small, true, pods, false);
        ring.slices.computeIfPresent(small, (id, slice) -> slice.asking(Agreement.within(LIMIT)));
        String lit = shown(ring);
        SliceId wish = ring.wish("wish", 1, 24);
        ring.settle();
        Allocation moved = ring.ledger.get(small).allocation().orElseThrow();
        assertThat(moved.awaitsAnswer()).isTrue();
        assertThat(shown(ring)).isEqualTo(lit);
        assertThat(moved.nodes()).as("its place is its own").containsExactly("n4", "n5");
        ring.slices.computeIfPresent(
                small,
                (id, slice) -> slice.asking(Agreement.within(LIMIT)
                        .to(moved.announcement().orElseThrow().revision())));
        Deliberation settled = ring.settle();
        assertThat(shown(ring)).isNotEqualTo(lit);
        assertThat(settled.slices().get(wish).light().qualified()).isTrue();
        assertThat(ring.ledger.get(small).allocation().orElseThrow().releasing())
                .isEmpty();
    }

    /** On a line of nine a small job in the middle is asked to make room for a wish of four; another has the end. */
    private static ToyRing askedInTheMiddle(Reconfiguration ofOther) {
        ToyRing ring = new ToyRing(RingFabric.of(RingShape.LINE, 9, 2, 4));
        ring.policy = Policies.massFailure(Policies.budget(ring.policy, 100), 100);
        return askedInTheMiddle(ring, ofOther, 0);
    }

    private static ToyRing askedInTheMiddle(ToyRing ring, Reconfiguration ofOther, int priority) {
        ring.reconfiguration = Reconfiguration.LIVE;
        SliceId small = ring.sits("small", new int[] {2, 3});
        ring.reconfiguration = ofOther;
        ring.sits("other", new int[] {6, 7, 8});
        ring.settle();
        ring.amend(small, true, new Workload.Pods(new TreeSet<>(List.of("n2", "n3")), false), false);
        ring.slices.computeIfPresent(small, (id, slice) -> slice.asking(Agreement.within(LIMIT)));
        ring.priority = priority;
        ring.wish("wish", 1, 16);
        ring.settle();
        assertThat(ring.ledger.get(small).allocation().orElseThrow().awaitsAnswer())
                .isTrue();
        return ring;
    }

    @Test
    void whoWaitsForAnAnswerIsToldWhose() {
        ToyRing ring = askedInTheMiddle(Reconfiguration.NEVER);
        assertThat(ring.settle().slices().get(new SliceId("team", "wish")).placement())
                .isInstanceOfSatisfying(
                        Placement.Unplaced.class,
                        waits -> assertThat(waits.message())
                                .contains("there is room once job team/small agrees to move, or its limit has passed"));
    }

    @Test
    void aBrokenJobIsNotRestartedForAPlaceThatAnotherHasUntilItAgrees() {
        ToyRing ring = askedInTheMiddle(Reconfiguration.AT_RESTART);
        ring.notReady.addAll(List.of("n6", "n7", "n8"));
        ring.settle();
        ring.pass(Duration.ofMinutes(1));
        assertThat(ring.settle().slices().get(new SliceId("team", "other")).placement())
                .isInstanceOfSatisfying(
                        Placement.Faulted.class,
                        faulted -> assertThat(faulted.relocatable()).isFalse());
    }

    @Test
    void aPauseEndsTheQuestionAndItIsAskedAgainAfterwards() {
        ToyRing ring = askedInTheMiddle(Reconfiguration.NEVER);
        long asked = ring.ledger
                .get(SMALL)
                .allocation()
                .flatMap(Allocation::announcement)
                .orElseThrow()
                .revision();
        ring.slices.computeIfPresent(
                SMALL, (id, slice) -> slice.asking(Agreement.within(LIMIT).to(asked)));
        ring.paused = true;
        String lit = shown(ring);
        ring.settle();
        Allocation paused = ring.ledger.get(SMALL).allocation().orElseThrow();
        assertThat(paused.awaitsAnswer()).isFalse();
        ring.paused = false;
        ring.settle();
        Allocation again = ring.ledger.get(SMALL).allocation().orElseThrow();
        assertThat(again.awaitsAnswer()).isTrue();
        assertThat(again.announcement().orElseThrow().revision()).isGreaterThan(asked);
        assertThat(shown(ring)).isEqualTo(lit);
    }

    @Test
    void aJobOfHigherPriorityWaitsForNoAnswer() {
        ToyRing ring = askedInTheMiddle(Reconfiguration.NEVER);
        ring.policy = Policies.preempting(ring.policy);
        ring.priority = 10;
        SliceId urgent = ring.wish("urgent", 1, 16);
        assertThat(ring.settle().slices().get(urgent).placement())
                .isInstanceOfSatisfying(
                        Placement.Unplaced.class,
                        waits -> assertThat(waits.message()).contains("of lower priority makes room for it"));
    }

    @Test
    void aBrokenJobTakesWhatAnotherIsToHaveOnceItAgrees() {
        ToyRing ring = askedInTheMiddle(Reconfiguration.NEVER);
        SliceId small = new SliceId("team", "small");
        assertThat(ring.ledger
                        .get(small)
                        .allocation()
                        .flatMap(Allocation::awaited)
                        .orElseThrow()
                        .groups())
                .containsExactly(
                        new Allocation.Group(List.of(new Allocation.Member("n4", 4), new Allocation.Member("n5", 5))));
        ring.notReady.add("n6");
        ring.settle();
        ring.pass(Duration.ofMinutes(1));
        ring.settle();
        assertThat(ring.positions(new SliceId("team", "other"))).containsExactly(List.of(5, 7, 8));
        assertThat(ring.positions(small)).containsExactly(List.of(2, 3));
    }

    /** The same, where jobs of lower priority make room. */
    private static ToyRing askedForTheUrgent() {
        ToyRing ring = new ToyRing(RingFabric.of(RingShape.LINE, 9, 2, 4));
        ring.policy = Policies.preempting(Policies.massFailure(Policies.budget(ring.policy, 100), 100));
        return askedInTheMiddle(ring, Reconfiguration.NEVER, 10);
    }

    @Test
    void noJobIsEndedForOneWhoseRoomAnotherIsAskedToMake() {
        ToyRing ring = askedForTheUrgent();
        Deliberation settled = ring.settle();
        assertThat(settled.slices().get(WISH).placement())
                .isInstanceOfSatisfying(
                        Placement.Unplaced.class,
                        waits -> assertThat(waits.message())
                                .contains("there is room once job team/small agrees to move"));
        assertThat(settled.slices().get(OTHER).preemptor()).isEmpty();
        assertThat(settled.slices().get(SMALL).preemptor()).isEmpty();
    }

    @Test
    void jobsOfLowerPriorityMakeRoomWhereWhatIsAskedWouldNotBeEnough() {
        ToyRing ring = askedForTheUrgent();
        ring.notReady.add("n0");
        ring.settle();
        ring.pass(Duration.ofMinutes(1));
        assertThat(ring.settle().slices().get(WISH).placement())
                .isInstanceOfSatisfying(
                        Placement.Unplaced.class,
                        waits -> assertThat(waits.message()).contains("of lower priority makes room for it"));
    }

    @Test
    void aPlaceThatIsKeptForAJobGoesToOneBrokenJobAlone() {
        ToyRing ring = new ToyRing(RingFabric.of(RingShape.LINE, 14, 3, 4));
        ring.policy = Policies.massFailure(Policies.budget(ring.policy, 100), 100);
        ring.reconfiguration = Reconfiguration.LIVE;
        SliceId asked = ring.sits("asked", new int[] {1, 2, 3});
        ring.reconfiguration = Reconfiguration.NEVER;
        ring.sits("between", new int[] {6});
        List<SliceId> broken =
                List.of(ring.sits("left", new int[] {8, 9, 10}), ring.sits("right", new int[] {11, 12, 13}));
        ring.settle();
        runs(ring, asked, false);
        ring.wish("wish", 1, 16);
        ring.settle();
        assertThat(ring.ledger.get(asked).allocation().orElseThrow().awaitsAnswer())
                .isTrue();
        ring.notReady.addAll(List.of("n8", "n12"));
        ring.settle();
        ring.pass(Duration.ofMinutes(1));
        ring.settle();
        List<Integer> positions = broken.stream()
                .flatMap(job -> ring.positions(job).getFirst().stream())
                .toList();
        assertThat(positions).doesNotHaveDuplicates();
    }

    /** A job of two groups; a wish asks the second one to move. */
    private static ToyRing askedOfOneGroup(SliceId pair) {
        ToyRing ring = new ToyRing(RingFabric.of(RingShape.LINE, 12, 2, 4));
        ring.policy = Policies.massFailure(Policies.budget(ring.policy, 100), 100);
        ring.reconfiguration = Reconfiguration.LIVE;
        ring.sits(pair.name(), new int[] {0, 1}, new int[] {5, 6});
        ring.reconfiguration = Reconfiguration.NEVER;
        ring.sits("other", new int[] {9, 10, 11});
        ring.settle();
        runs(ring, pair, false);
        ring.wish("wish", 1, 16);
        ring.settle();
        return ring;
    }

    @Test
    void aGroupThatStaysMayGetWorseWhileAnotherIsAskedToMove() {
        SliceId pair = new SliceId("team", "pair");
        ToyRing ring = askedOfOneGroup(pair);
        Allocation asked = ring.ledger.get(pair).allocation().orElseThrow();
        assertThat(asked.awaited().orElseThrow().groups().getFirst())
                .isEqualTo(asked.groups().getFirst());
        assertThat(asked.awaited().orElseThrow().groups().getLast())
                .isNotEqualTo(asked.groups().getLast());
        SortedMap<String, String> worse = new TreeMap<>();
        for (String port : List.of("b0.path1", "b0.path2", "b1.path1", "b1.path2")) {
            worse.put(port, Finding.REASON);
        }
        ring.failedPorts.put("n0", worse);
        ring.settle();
        ring.pass(Duration.ofMinutes(1));
        ring.settle();
        assertThat(ring.trackers.get("ring-a").faults()).isNotEmpty();
        assertThat(ring.ledger.get(pair).allocation().orElseThrow().announcement())
                .isEqualTo(asked.announcement());
    }

    /** Its pods run where its light is, and it agrees to what it is asked. */
    private static void runs(ToyRing ring, SliceId job, boolean agrees) {
        Allocation recorded = ring.ledger.get(job).allocation().orElseThrow();
        ring.amend(job, true, new Workload.Pods(recorded.nodes(), false), false);
        Agreement agreement = recorded.announcement()
                .filter(open -> agrees && open.open())
                .map(open -> Agreement.within(LIMIT).to(open.revision()))
                .orElse(Agreement.within(LIMIT));
        ring.slices.computeIfPresent(job, (id, slice) -> slice.asking(agreement));
    }

    @Test
    void noJobIsEndedWhereSeveralMoveOneAfterTheOther() {
        ToyRing ring = new ToyRing(RingFabric.of(RingShape.LINE, 13, 2, 4));
        ring.policy = Policies.preempting(Policies.massFailure(Policies.budget(ring.policy, 100), 100));
        ring.reconfiguration = Reconfiguration.LIVE;
        List<SliceId> jobs =
                List.of(ring.sits("first", new int[] {2, 3, 4, 5}), ring.sits("next", new int[] {6, 7, 8, 9}));
        ring.settle();
        jobs.forEach(job -> runs(ring, job, false));
        ring.priority = 10;
        ring.wish("wish", 1, 16);
        ring.heard = (world, heard) -> {
            jobs.forEach(job -> runs(ring, job, false));
            assertThat(heard.slices().values())
                    .allMatch(verdict -> verdict.preemptor().isEmpty());
        };
        assertThat(ring.settle().slices().get(WISH).placement())
                .isInstanceOfSatisfying(
                        Placement.Unplaced.class,
                        waits -> assertThat(waits.message())
                                .contains("agrees to move, or its limit has passed", "and others have moved after it"));
        for (SliceId job : jobs) {
            runs(ring, job, true);
            ring.step();
            ring.settle();
        }
        assertThat(ring.settle().slices().get(WISH).placement()).isInstanceOf(Placement.Placed.class);
    }

    /** The question ended without a move, and the light of the small job stayed. */
    private static void isOff(ToyRing ring, String lit) {
        ring.settle();
        Allocation recorded = ring.ledger.get(SMALL).allocation().orElseThrow();
        assertThat(recorded.announcement().flatMap(Announcement::answer).map(Announcement.Answer::kind))
                .contains(Kind.NOT_NEEDED);
        ring.slices.computeIfPresent(
                SMALL,
                (id, slice) -> slice.asking(Agreement.within(LIMIT)
                        .to(recorded.announcement().orElseThrow().revision())));
        ring.settle();
        assertThat(ring.positions(SMALL)).containsExactly(List.of(2, 3));
        assertThat(lights(ring)).isEqualTo(lit);
    }

    private static String lights(ToyRing ring) {
        return Arrays.toString(ring.bundles.get("n2")) + Arrays.toString(ring.bundles.get("n3"));
    }

    @Test
    void nobodyMovesForAJobThatIsSuspended() {
        ToyRing ring = askedInTheMiddle(Reconfiguration.NEVER);
        String lit = lights(ring);
        ring.unwish(WISH);
        isOff(ring, lit);
    }

    @Test
    void nobodyMovesForAJobThatIsDeleted() {
        ToyRing ring = askedInTheMiddle(Reconfiguration.NEVER);
        String lit = lights(ring);
        ring.slices.remove(WISH);
        ring.ledger.remove(WISH);
        isOff(ring, lit);
    }

    @Test
    void nobodyMovesForAJobThatFoundRoomElsewhere() {
        ToyRing ring = askedInTheMiddle(Reconfiguration.NEVER);
        String lit = lights(ring);
        ring.unwish(OTHER);
        isOff(ring, lit);
        assertThat(ring.positions(WISH)).containsExactly(List.of(4, 5, 6, 7));
    }

    @Test
    void nobodyMovesForAJobThatMayHaveNoPlace() {
        ToyRing ring = askedInTheMiddle(Reconfiguration.NEVER);
        String lit = lights(ring);
        Quota.Share least = new Quota.Share(OptionalInt.of(1), OptionalInt.empty());
        ring.policy = Policies.with(ring.policy, new Quota(least, new TreeMap<>()));
        isOff(ring, lit);
    }

    @Test
    void theQuestionStaysForTheNextAttemptOfTheJobThatWaits() {
        ToyRing ring = askedInTheMiddle(Reconfiguration.NEVER);
        ring.again(WISH);
        ring.unwish(WISH);
        ring.settle();
        assertThat(ring.ledger.get(SMALL).allocation().orElseThrow().awaitsAnswer())
                .isTrue();
    }

    /** What the nodes of the small job lead. */
    private static String shown(ToyRing ring) {
        return Arrays.toString(ring.bundles.get("n4")) + Arrays.toString(ring.bundles.get("n5"));
    }
}
