package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.Seeds;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingPlacement;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Nodes whose labels change and machines that come for others, while jobs hold their positions. */
class ReseatedTest {
    private ToyRing ring = ToyRing.of(8, 2);

    /** Another machine stands where this one stood. */
    private String replaced(int position, String by) {
        String was = ring.names.put(position, by);
        ring.gone.add(was);
        machine(by);
        return was;
    }

    private void machine(String name) {
        BundleState[] states = new BundleState[ring.ring.reach()];
        Arrays.fill(states, BundleState.LOOPBACK);
        ring.bundles.put(name, states);
    }

    @Test
    void aMachineThatComesForADeadOneTakesItsSeatWhereNoOtherIsLeft() {
        SliceId a = ring.wish("a", 2, 16);
        ring.settle();
        String dead = replaced(2, "m2");
        ring.settle();
        assertThat(ring.groups(a).stream().flatMap(List::stream)).contains("m2").doesNotContain(dead);
        assertThat(ring.positions(a)).isEqualTo(List.of(List.of(0, 1, 2, 3), List.of(4, 5, 6, 7)));
        assertThat(ring.litNodes()).contains("m2");
    }

    @Test
    void itTakesItsSeatThoughASpareIsNear() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        List<List<Integer>> seats = ring.positions(a);
        replaced(seats.getFirst().get(1), "m" + seats.getFirst().get(1));
        ring.settle();
        assertThat(ring.positions(a)).isEqualTo(seats);
    }

    @Test
    void aMachineThatMayNotBeUsedIsNotRecorded() {
        SliceId a = ring.wish("a", 2, 16);
        ring.settle();
        replaced(2, "m2");
        ring.cordoned.add("m2");
        Deliberation look = ring.settle();
        assertThat(ring.groups(a).stream().flatMap(List::stream)).contains("n2").doesNotContain("m2");
        assertThat(look.slices().get(a).placement()).isInstanceOf(SliceVerdict.Placement.Faulted.class);
    }

    @Test
    void whoIsLostKeepsItsMembersWhenAnotherGroupIsRepaired() {
        ring = ToyRing.of(32, 2);
        SliceId a = ring.sits("a", new int[] {0, 1, 2}, new int[] {4, 5, 6});
        ring.sits("b", new int[] {30, 31});
        ring.settle();
        // one spare for two broken groups
        replaced(5, "m5");
        ring.cordoned.addAll(ring.names.tailMap(5).values());
        ring.notReady.add("n1");
        ring.settle();
        assertThat(ring.groups(a)).containsExactly(List.of("n0", "n2", "n3"), List.of("n4", "n5", "n6"));
    }

    /**
     * A repair of several passes records a group where it sat until the seats that it will have are free: its Node may
     * be gone.
     */
    @Test
    void aGroupThatMovesInALaterPassKeepsAMemberThatIsGone() {
        SliceId a = ring.sits("a", new int[] {0, 1, 2}, new int[] {4, 5, 6});
        ring.settle();
        ring.names.remove(1);
        RingIntent intent = ring.world().rings().get("ring-a");
        SliceState claim = SliceState.recorded(ring.world(), ring.slices.get(a)).orElseThrow();
        RingPlacement partly = new RingPlacement(List.of(RingGroup.of(0, 1, 2), RingGroup.of(5, 6, 7)));
        assertThat(claim.seat(intent, partly, Set.of()))
                .extracting(group ->
                        group.members().stream().map(Allocation.Member::node).toList())
                .containsExactly(List.of("n0", "n1", "n2"), List.of("n5", "n6", "n7"));
    }

    @Test
    void aNodeThatMovedIsNobodyElses() {
        SliceId a = ring.wish("a", 1, 12, new Workload.LightOnly(), new Replacement.Never(), true);
        ring.settle();
        String moved = ring.groups(a).getFirst().get(1);
        ring.names.remove(ring.positions(a).getFirst().get(1));
        int free = ring.positions(a).getFirst().getLast() + 1;
        ring.names.put(free, moved);
        SliceId b = ring.wish("b", 5, 4);
        Deliberation look = ring.settle();
        assertThat(ring.groups(a).getFirst()).contains(moved);
        assertThat(look.slices().get(b).placement()).isInstanceOf(SliceVerdict.Placement.Unplaced.class);
    }

    @Test
    void aMachineTakesTheSeatItCameForThoughAnotherGroupIsLost() {
        ring = ToyRing.of(32, 2);
        SliceId a = ring.sits("a", new int[] {0, 1, 2}, new int[] {4, 5, 6});
        ring.settle();
        replaced(5, "m5");
        ring.cordoned.addAll(ring.names.tailMap(7).values());
        ring.cordoned.add("n3");
        ring.notReady.add("n1");
        ring.settle();
        assertThat(ring.groups(a)).containsExactly(List.of("n0", "n1", "n2"), List.of("n4", "m5", "n6"));
    }

    /** A technician corrects a label: the node stays with its slice, whoever else there is. */
    @Test
    void aMemberThatMovedTakesItsNewSeatWhereNoOtherIsLeft() {
        fullBut(5);
        SliceId a = ring.sits("a", new int[] {1, 2, 3});
        ring.cordoned.addAll(Set.of("n0", "n4"));
        ring.settle();
        ring.names.remove(4);
        ring.names.put(4, ring.names.remove(3));
        Deliberation look = ring.settle();
        assertThat(ring.groups(a)).containsExactly(List.of("n1", "n2", "n3"));
        assertThat(ring.positions(a)).containsExactly(List.of(1, 2, 4));
        assertThat(look.slices().get(a).placement()).isInstanceOf(SliceVerdict.Placement.Placed.class);
    }

    @Test
    void membersThatExchangedTheirSeatsHaveThoseOfEachOther() {
        fullBut(5);
        SliceId a = ring.sits("a", new int[] {0, 1, 2, 3, 4});
        ring.settle();
        exchange(1, 3);
        Deliberation look = ring.settle();
        assertThat(ring.groups(a)).containsExactly(List.of("n0", "n3", "n2", "n1", "n4"));
        assertThat(ring.positions(a)).containsExactly(List.of(0, 1, 2, 3, 4));
        assertThat(look.slices().get(a).placement()).isInstanceOf(SliceVerdict.Placement.Placed.class);
    }

    /** Whose light is whose nobody could say any more. */
    @Test
    void membersOfTwoSlicesThatExchangedTheirSeatsAreNobodys() {
        fullBut(6);
        SliceId a = ring.sits("a", new int[] {0, 1, 2});
        SliceId b = ring.sits("b", new int[] {3, 4, 5});
        ring.settle();
        exchange(1, 4);
        Deliberation look = ring.settle();
        assertThat(ring.groups(a)).containsExactly(List.of("n0", "n1", "n2"));
        assertThat(ring.groups(b)).containsExactly(List.of("n3", "n4", "n5"));
        for (SliceId slice : List.of(a, b)) {
            assertThat(look.slices().get(slice).placement()).isInstanceOf(SliceVerdict.Placement.Faulted.class);
        }
    }

    @Test
    void aMemberThatMovedAndIsFaultyTakesNoSeat() {
        fullBut(5);
        SliceId a = ring.sits("a", new int[] {0, 1, 2, 3, 4});
        ring.settle();
        exchange(1, 3);
        ring.notReady.add("n3");
        Deliberation look = ring.settle();
        assertThat(ring.groups(a)).containsExactly(List.of("n0", "n1", "n2", "n3", "n4"));
        assertThat(look.slices().get(a).placement()).isInstanceOf(SliceVerdict.Placement.Faulted.class);
    }

    /** A group that is lost keeps its members by name, be they elsewhere by now. */
    @Test
    void aMemberOfALostGroupIsNoHeirOfAnother() {
        fullBut(7);
        SliceId a = ring.sits("a", new int[] {0, 1, 2}, new int[] {4, 5, 6});
        ring.cordoned.add("n3");
        ring.settle();
        ring.names.put(5, ring.names.remove(1));
        ring.settle();
        assertThat(ring.groups(a)).containsExactly(List.of("n0", "n1", "n2"), List.of("n4", "n5", "n6"));
    }

    @Test
    void nodesThatMoveAboutAreNamedOnceEach() {
        for (long seed = 1; seed <= Seeds.of(300); seed++) {
            Random random = new Random(seed);
            fullBut(6 + random.nextInt(4));
            SliceId a = ring.sits("a", new int[] {0, 1, 2}, new int[] {3, 4, 5});
            ring.settle();
            for (int move = 0; move < 6; move++) {
                moveSomebody(random);
                ring.pass(Duration.ofSeconds(random.nextInt(40)));
                ring.settle();
                assertThat(ring.groups(a).stream().flatMap(List::stream))
                        .as("seed %d, move %d", seed, move)
                        .doesNotHaveDuplicates();
            }
        }
    }

    /** Two exchange their places, or one moves to an empty place, or goes. */
    private void moveSomebody(Random random) {
        List<Integer> seats = List.copyOf(ring.names.headMap(10).keySet());
        int from = seats.get(random.nextInt(seats.size()));
        int to = random.nextInt(10);
        String mover = ring.names.remove(from);
        String there = ring.names.remove(to);
        if (random.nextInt(4) > 0) {
            ring.names.put(to, mover);
        }
        if (there != null && random.nextBoolean()) {
            ring.names.put(from, there);
        }
    }

    /** A mass of nodes of which only the first may be used. */
    private void fullBut(int first) {
        ring = ToyRing.of(40, 2);
        ring.cordoned.addAll(ring.names.tailMap(first).values());
    }

    private void exchange(int one, int other) {
        ring.names.put(one, ring.names.put(other, ring.names.get(one)));
    }
}
