package dev.lightpath.planner.ring.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.Seeds;
import dev.lightpath.planner.ring.BruteForce;
import dev.lightpath.planner.ring.BundleDerivation;
import dev.lightpath.planner.ring.BundlePath;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.ring.BundleStates;
import dev.lightpath.planner.ring.FaultDraw;
import dev.lightpath.planner.ring.RandomRing;
import dev.lightpath.planner.ring.RingChecker;
import dev.lightpath.planner.ring.RingDemand;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.ring.placement.PlacementOutcome;
import dev.lightpath.planner.ring.placement.RingOrchestration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RingRepairPropertyTest {
    private static final int WORLDS = Seeds.of(2000);
    private static final int SMALL_WORLDS = Seeds.of(600);

    private static final long SEED = 11;

    @Test
    void repairsIntoLightThatTheCheckerAcceptsAndLeavesTheRestAlone() {
        Random random = new Random(SEED);
        int repaired = 0;
        for (int world = 0; world < WORLDS; world++) {
            RandomRing ring = RandomRing.of(random, 40, world % 3 == 0);
            RingFabric fabric = ring.fabric();
            int tensor = ring.size() * fabric.gpusPerNode();
            int usable = RingOrchestration.usableGroups(fabric, ring.health(), tensor, Set.of());
            if (usable == 0) {
                continue;
            }
            int wanted = 1 + random.nextInt(usable);
            var placed = (PlacementOutcome.Placed)
                    RingOrchestration.place(fabric, ring.health(), new RingDemand(tensor, wanted), Set.of());
            List<RingGroup> groups = placed.placement().groups();
            int hit = random.nextInt(wanted);
            int node = groups.get(hit).members().get(random.nextInt(ring.size()));
            SortedSet<Integer> faulty = new TreeSet<>(ring.health().faulty());
            faulty.add(node);
            RingHealth health = new RingHealth(faulty, ring.health().lost());
            Set<Integer> free = BruteForce.all(fabric);
            free.removeAll(placed.placement().positions());
            String what = "seed " + SEED + " world " + world + " " + ring + " hit " + node + " of " + groups;
            switch (RingRepair.repair(fabric, health, groups, new TreeSet<>(Set.of(hit)), free)) {
                case RepairOutcome.Repaired outcome -> {
                    repaired++;
                    BundleDerivation after = BundleDerivation.derive(fabric, outcome.groups());
                    assertThat(after.conflicts()).as(what).isEmpty();
                    assertThat(RingChecker.check(fabric, outcome.groups(), after.states(), faulty))
                            .as(what)
                            .isEmpty();
                    assertThat(outcome.groups()).as(what).allMatch(group -> health.supports(fabric, group));
                    for (int group = 0; group < groups.size(); group++) {
                        boolean same = groups.get(group).equals(outcome.groups().get(group));
                        assertThat(same).as(what).isEqualTo(!outcome.changed().contains(group));
                    }
                }
                case RepairOutcome.NoRepair none -> {
                    int left = RingOrchestration.usableGroups(fabric, health, tensor, Set.of());
                    assertThat(none.reason()).as(what).contains("group " + hit);
                    int kept = switch (RingRepair.repairMinimal(fabric, health, groups, free)) {
                        case RepairOutcome.Repaired outcome -> outcome.kept().size();
                        case RepairOutcome.NoRepair lost -> wanted - 1;
                    };
                    assertThat(kept).as(what).isEqualTo(Math.min(wanted, left));
                }
            }
        }
        assertThat(repaired).isGreaterThan(WORLDS / 4);
    }

    @Test
    void changesAsFewGroupsAsBruteForceForTheMostGroups() {
        Random random = new Random(SEED);
        int compared = 0;
        for (int world = 0; world < SMALL_WORLDS; world++) {
            RandomRing ring = RandomRing.of(random, 14, false);
            RingFabric fabric = ring.fabric();
            if (ring.size() == 1) {
                continue;
            }
            int tensor = ring.size() * fabric.gpusPerNode();
            int usable = RingOrchestration.usableGroups(fabric, ring.health(), tensor, Set.of());
            if (usable == 0) {
                continue;
            }
            int wanted = 1 + random.nextInt(usable);
            var placed = (PlacementOutcome.Placed)
                    RingOrchestration.place(fabric, ring.health(), new RingDemand(tensor, wanted), Set.of());
            List<RingGroup> groups = placed.placement().groups();
            SortedSet<Integer> faulty = new TreeSet<>(ring.health().faulty());
            for (int hits = 1 + random.nextInt(2); hits > 0; hits--) {
                faulty.add(random.nextInt(fabric.positions()));
            }
            RingHealth health = RingHealth.faulty(faulty);
            Set<Integer> free = BruteForce.all(fabric);
            free.removeAll(placed.placement().positions());
            int most = Math.min(wanted, BruteForce.mostGroups(fabric, health, ring.size(), BruteForce.all(fabric)));
            int least = leastChanged(fabric, health, groups, most);
            String what = "seed " + SEED + " world " + world + " " + ring + " now " + faulty + " " + groups;
            switch (RingRepair.repairMinimal(fabric, health, groups, free)) {
                case RepairOutcome.Repaired outcome -> {
                    BundleStates light =
                            BundleDerivation.derive(fabric, outcome.kept()).states();
                    assertThat(RingChecker.check(fabric, outcome.kept(), light, faulty))
                            .as(what)
                            .isEmpty();
                    assertThat(outcome.kept()).as(what).hasSize(most);
                    assertThat(outcome.changed()).as(what).hasSize(least);
                    compared += least > 0 ? 1 : 0;
                }
                case RepairOutcome.NoRepair none -> assertThat(least).as(what).isZero();
            }
        }
        assertThat(compared).isGreaterThan(SMALL_WORLDS / 6);
    }

    /** Keeps every subset of the sound groups and asks whether the rest still fits. */
    private static int leastChanged(RingFabric fabric, RingHealth health, List<RingGroup> groups, int most) {
        int least = most;
        int size = groups.getFirst().size();
        for (int kept = 0; kept < 1 << groups.size(); kept++) {
            Set<Integer> room = BruteForce.all(fabric);
            boolean sound = true;
            for (int group = 0; group < groups.size(); group++) {
                if ((kept >> group & 1) == 1) {
                    sound &= health.supports(fabric, groups.get(group));
                    room.removeAll(groups.get(group).members());
                }
            }
            int changed = most - Integer.bitCount(kept);
            if (!sound || changed < 0 || changed >= least) {
                continue;
            }
            if (BruteForce.mostGroups(fabric, health, size, room) >= changed) {
                least = changed;
            }
        }
        return least;
    }

    @Test
    void takesTheSpareInReachAndKeepsOtherMembersAndTheirLight() {
        RingFabric fabric = RingFabric.of(RingShape.LINE, 12, 3, 4);
        List<RingGroup> groups = List.of(RingGroup.of(0, 1, 2, 3), RingGroup.of(5, 6, 7, 8));
        var outcome = (RepairOutcome.Repaired) RingRepair.repair(
                fabric, RingHealth.faulty(Set.of(2)), groups, new TreeSet<>(Set.of(0)), Set.of(4, 9, 10, 11));
        assertThat(outcome.groups()).containsExactly(RingGroup.of(0, 1, 3, 4), RingGroup.of(5, 6, 7, 8));
        assertThat(outcome.changed()).containsExactly(0);
    }

    @Test
    void shiftsTheNeighbourTowardsTheSpareItCannotReach() {
        RingFabric fabric = RingFabric.of(RingShape.LINE, 9, 2, 4);
        List<RingGroup> groups = List.of(RingGroup.of(0, 1, 2, 3), RingGroup.of(4, 5, 6, 7));
        var outcome = (RepairOutcome.Repaired)
                RingRepair.repair(fabric, RingHealth.faulty(Set.of(2)), groups, new TreeSet<>(Set.of(0)), Set.of(8));
        assertThat(outcome.groups()).containsExactly(RingGroup.of(0, 1, 3, 4), RingGroup.of(5, 6, 7, 8));
        assertThat(outcome.changed()).containsExactly(0, 1);
    }

    @Test
    void aBundleThatCanOnlyLoopBackServesTheEndOfAGroup() {
        RingFabric fabric = RingFabric.of(RingShape.LINE, 8, 2, 4);
        List<RingGroup> groups = List.of(RingGroup.of(0, 1, 2));
        Set<BundlePath> rightSide =
                Set.of(new BundlePath(1, BundleState.PATH_1), new BundlePath(1, BundleState.PATH_2));
        RingHealth health = RingHealth.of(Set.of(), java.util.Map.of(1, rightSide));
        var outcome = (RepairOutcome.Repaired)
                RingRepair.repair(fabric, health, groups, new TreeSet<>(Set.of(0)), Set.of(3, 4, 5, 6, 7));
        assertThat(health.supports(fabric, outcome.groups().getFirst())).isTrue();
        assertThat(health.supports(fabric, RingGroup.of(0, 1))).isTrue();
    }

    @Test
    void keepsEveryGroupThatStillFitsAfterAMassFailure() {
        RingFabric fabric = RingFabric.of(RingShape.RING, 512, 3, 8);
        var placed = (PlacementOutcome.Placed)
                RingOrchestration.place(fabric, RingHealth.ALL_WELL, new RingDemand(32, 120), Set.of());
        List<RingGroup> groups = placed.placement().groups();
        RingHealth health = RingHealth.faulty(FaultDraw.exactly(512, 150, SEED));
        Set<Integer> free = BruteForce.all(fabric);
        free.removeAll(placed.placement().positions());
        int usable = RingOrchestration.usableGroups(fabric, health, 32, Set.of());
        var outcome = (RepairOutcome.Repaired) RingRepair.repairMinimal(fabric, health, groups, free);
        assertThat(usable).isLessThan(groups.size());
        assertThat(outcome.kept()).hasSize(usable);
        BundleStates light = BundleDerivation.derive(fabric, outcome.kept()).states();
        assertThat(RingChecker.check(fabric, outcome.kept(), light, health.faulty()))
                .isEmpty();
    }

    @Test
    void saysWhenNoSpareIsLeft() {
        RingFabric fabric = RingFabric.of(RingShape.RING, 8, 2, 4);
        List<RingGroup> groups = List.of(RingGroup.of(0, 1, 2, 3), RingGroup.of(4, 5, 6, 7));
        assertThat(RingRepair.repair(fabric, RingHealth.faulty(Set.of(6)), groups, new TreeSet<>(Set.of(1)), Set.of()))
                .isInstanceOf(RepairOutcome.NoRepair.class);
    }
}
