package dev.lightpath.planner.ring.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ring.BruteForce;
import dev.lightpath.planner.ring.BundleDerivation;
import dev.lightpath.planner.ring.BundlePath;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.ring.BundleStates;
import dev.lightpath.planner.ring.RandomRing;
import dev.lightpath.planner.ring.RingChecker;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.ring.RingShape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Groups of several sizes on one ring, interleaved or not, against brute force. */
class RingMixedSizesPropertyTest {

    private static final long SEED = 20261121;
    private static final int WORLDS = 400;

    private record World(RingFabric fabric, RingHealth health, List<RingGroup> groups, Set<Integer> free) {

        RingHealth with(Random random, int faults) {
            SortedSet<Integer> faulty = new TreeSet<>(health.faulty());
            Map<Integer, Set<BundlePath>> lost = new HashMap<>();
            health.lost().forEach(lost::put);
            for (int fault = 0; fault < faults; fault++) {
                int node = random.nextInt(fabric.positions());
                if (random.nextInt(4) > 0) {
                    faulty.add(node);
                } else {
                    BundleState state = BundleState.values()[random.nextInt(3)];
                    lost.put(node, Set.of(new BundlePath(random.nextInt(fabric.reach()), state)));
                }
            }
            lost.keySet().removeAll(faulty);
            return RingHealth.of(faulty, lost);
        }
    }

    private static World world(Random random, int index) {
        RandomRing ring = RandomRing.of(random, 13, index % 3 == 0);
        Set<Integer> free = BruteForce.all(ring.fabric());
        free.removeAll(ring.health().faulty());
        List<RingGroup> groups = new ArrayList<>();
        for (int tries = 0; tries < 2 + random.nextInt(4); tries++) {
            List<RingGroup> candidates =
                    BruteForce.candidates(ring.fabric(), ring.health(), 1 + random.nextInt(4), free);
            if (!candidates.isEmpty()) {
                RingGroup group = candidates.get(random.nextInt(candidates.size()));
                groups.add(group);
                free.removeAll(group.members());
            }
        }
        return new World(ring.fabric(), ring.health(), groups, free);
    }

    @Test
    void losesAndChangesAsLittleAsBruteForce() {
        Random random = new Random(SEED);
        int changed = 0;
        int lost = 0;
        for (int index = 0; index < WORLDS; index++) {
            World world = world(random, index);
            RingHealth health = world.with(random, 1 + random.nextInt(3));
            String what = "seed " + SEED + " world " + index + " " + world + " now " + health;
            Set<Integer> everybody =
                    IntStream.range(0, world.groups().size()).boxed().collect(Collectors.toSet());
            int least = BruteForce.leastChange(world.fabric(), health, world.groups(), everybody, world.free());
            List<Integer> sound = everybody.stream()
                    .filter(group ->
                            health.supports(world.fabric(), world.groups().get(group)))
                    .toList();
            int broken = world.groups().size() - sound.size();
            switch (RingRepair.repairMinimal(world.fabric(), health, world.groups(), world.free())) {
                case RepairOutcome.Repaired outcome -> {
                    int nodes = outcome.lost().stream()
                            .mapToInt(group -> world.groups().get(group).size())
                            .sum();
                    int moved = outcome.changed().size() + outcome.lost().size() - broken;
                    assertThat(nodes * 10_000 + outcome.lost().size() * 100 + moved)
                            .as(what + " -> " + outcome)
                            .isEqualTo(least);
                    BundleStates light = BundleDerivation.derive(world.fabric(), outcome.kept())
                            .states();
                    assertThat(RingChecker.check(world.fabric(), outcome.kept(), light, health))
                            .as(what)
                            .isEmpty();
                    changed += moved;
                    lost += outcome.lost().size();
                }
                case RepairOutcome.NoRepair none -> {
                    int nodes = everybody.stream()
                            .filter(group -> !sound.contains(group))
                            .mapToInt(group -> world.groups().get(group).size())
                            .sum();
                    assertThat(nodes * 10_000 + broken * 100).as(what + none).isEqualTo(least);
                }
            }
        }
        assertThat(changed).isGreaterThan(20);
        assertThat(lost).isGreaterThan(20);
    }

    @Test
    void aGroupInsideAnotherIsRepairedBesideOneThatLeadsRound() {
        RingFabric fabric = RingFabric.of(RingShape.RING, 20, 4, 4);
        List<RingGroup> groups =
                List.of(RingGroup.of(1, 2), RingGroup.of(10, 14), RingGroup.of(11, 12), RingGroup.of(13, 15));
        Set<Integer> free = BruteForce.all(fabric);
        groups.forEach(group -> free.removeAll(group.members()));
        var outcome = (RepairOutcome.Repaired)
                RingRepair.repairMinimal(fabric, RingHealth.faulty(new TreeSet<>(Set.of(13))), groups, free);
        assertThat(outcome.changed()).containsExactly(3);
        assertThat(outcome.lost()).isEmpty();
    }

    @Test
    void changesNothingWhereNothingIsBroken() {
        Random random = new Random(SEED);
        for (int index = 0; index < WORLDS; index++) {
            World world = world(random, index);
            var outcome = (RepairOutcome.Repaired)
                    RingRepair.repairMinimal(world.fabric(), world.health(), world.groups(), world.free());
            assertThat(outcome.groups())
                    .as("seed %d world %d %s", SEED, index, world)
                    .isEqualTo(world.groups());
            assertThat(outcome.changedBundles()).isZero();
        }
    }

    @Test
    void makesRoomByAsFewMovesAsBruteForceAndNeverMoreThanTheBudget() {
        Random random = new Random(SEED);
        int moved = 0;
        for (int index = 0; index < WORLDS; index++) {
            World world = world(random, index);
            int size = 1 + random.nextInt(4);
            int extra = 1 + random.nextInt(2);
            Set<Integer> movable = IntStream.range(0, world.groups().size())
                    .filter(group -> random.nextInt(4) > 0)
                    .boxed()
                    .collect(Collectors.toSet());
            String what = "seed " + SEED + " world " + index + " " + world + " room for " + extra + " of " + size
                    + " by " + movable;
            int least = BruteForce.leastMoves(
                    world.fabric(), world.health(), world.groups(), usable(world), movable, size, extra);
            for (int budget = 0; budget <= movable.size(); budget++) {
                Optional<RepairOutcome.Repaired> plan = RingCompaction.makeRoom(
                        world.fabric(),
                        world.health(),
                        world.groups(),
                        movable,
                        world.free(),
                        size,
                        extra,
                        budget,
                        RingSets.consecutive(world.fabric(), world.groups()),
                        1_000_000);
                assertThat(plan.isPresent()).as(what + " budget " + budget).isEqualTo(least <= budget);
                if (plan.isEmpty()) {
                    continue;
                }
                assertThat(plan.get().changed()).as(what).hasSize(least);
                assertThat(movable).as(what).containsAll(plan.get().changed());
                Set<Integer> room = BruteForce.all(world.fabric());
                room.retainAll(usable(world));
                plan.get().groups().forEach(group -> room.removeAll(group.members()));
                assertThat(BruteForce.fits(world.fabric(), world.health(), Map.of(size, extra), room))
                        .as(what)
                        .isTrue();
                moved += least;
            }
        }
        assertThat(moved).isGreaterThan(20);
    }

    private static Set<Integer> usable(World world) {
        Set<Integer> usable = new HashSet<>(world.free());
        world.groups().forEach(group -> usable.addAll(group.members()));
        return usable;
    }

    @Test
    void exchangesSeatsSoThatASetStaysBelowItsRacks() {
        RingFabric fabric = new RingFabric(RingShape.LINE, 24, 2, 4, 2, 24);
        List<RingGroup> groups =
                List.of(RingGroup.of(8, 9), RingGroup.of(12, 13), RingGroup.of(2, 3), RingGroup.of(18, 19));
        RingHealth health = RingHealth.faulty(Set.of(12, 13, 18, 19));
        var outcome = (RepairOutcome.Repaired) RingRepair.repairMinimal(fabric, health, groups, Set.of(14, 15, 20, 21));
        assertThat(outcome.groups())
                .containsExactly(RingGroup.of(8, 9), RingGroup.of(20, 21), RingGroup.of(2, 3), RingGroup.of(14, 15));
    }
}
