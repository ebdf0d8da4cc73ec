package dev.lightpath.planner.ring.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.Seeds;
import dev.lightpath.planner.ring.BruteForce;
import dev.lightpath.planner.ring.BundleDerivation;
import dev.lightpath.planner.ring.BundleStates;
import dev.lightpath.planner.ring.RingChecker;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.ring.RingPlacement;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.ring.placement.RingOrchestration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The bounded search for room: always right, and on small worlds nearly always as cheap as what brute force finds. */
class DefragmentationPropertyTest {
    private static final long SEED = 62;

    private record World(RingFabric fabric, RingHealth health, List<RingGroup> groups, Set<Integer> free) {
        Set<Integer> usable() {
            Set<Integer> usable = new HashSet<>(free);
            groups.forEach(group -> usable.addAll(group.members()));
            return usable;
        }
    }

    /** Groups of {@code sizes} at random places, of nodes that follow one another within reach. */
    private static World world(Random random, int positions, int[] sizes, double load) {
        int reach = 2 + random.nextInt(3);
        RingShape shape = random.nextBoolean() ? RingShape.LINE : RingShape.RING;
        RingFabric fabric = RingFabric.of(shape, positions, reach, 4);
        Set<Integer> faulty = new TreeSet<>();
        for (int position = 0; position < positions; position++) {
            if (random.nextDouble() < 0.05) {
                faulty.add(position);
            }
        }
        RingHealth health = RingHealth.faulty(faulty);
        Set<Integer> free = BruteForce.all(fabric);
        free.removeAll(faulty);
        List<RingGroup> groups = new ArrayList<>();
        int healthy = free.size();
        for (int tries = 0; tries < 20 * positions && free.size() > (1 - load) * healthy; tries++) {
            int size = sizes[random.nextInt(sizes.length)];
            List<Integer> members = new ArrayList<>();
            int at = random.nextInt(positions);
            for (int step = 0; step < 3 * size && members.size() < size && at < positions; step++, at++) {
                if (free.contains(at) && random.nextInt(8) > 0) {
                    members.add(at);
                }
            }
            if (members.size() == size && health.supports(fabric, RingGroup.of(members))) {
                groups.add(RingGroup.of(members));
                free.removeAll(members);
            }
        }
        return new World(fabric, health, groups, free);
    }

    private static Optional<RepairOutcome.Repaired> gather(
            World world, Set<Integer> movable, int size, int extra, int budget) {
        RingBoard board = RingRepair.board(world.fabric(), world.health(), world.groups(), world.free());
        for (int group = 0; group < world.groups().size(); group++) {
            board.movable[group] = movable.contains(group);
        }
        return new Defragmentation(board, new TreeMap<>(Map.of(size, extra)), budget)
                .solve()
                .map(answer -> {
                    new SeatExchange(board).seat(answer.moving(), answer.seats());
                    return (RepairOutcome.Repaired)
                            RingRepair.outcome(world.fabric(), world.groups(), board, new TreeSet<>());
                });
    }

    private static void isRight(
            String what,
            World world,
            RepairOutcome.Repaired plan,
            Set<Integer> movable,
            int size,
            int extra,
            int budget) {
        assertThat(plan.lost()).as(what).isEmpty();
        assertThat(movable).as(what).containsAll(plan.changed());
        assertThat(plan.changed()).as(what).hasSizeLessThanOrEqualTo(budget);
        assertThat(world.usable()).as(what).containsAll(new RingPlacement(plan.groups()).positions());
        for (int group = 0; group < world.groups().size(); group++) {
            assertThat(plan.groups().get(group).size())
                    .as(what)
                    .isEqualTo(world.groups().get(group).size());
        }
        BundleStates light =
                BundleDerivation.derive(world.fabric(), plan.groups()).states();
        assertThat(RingChecker.check(world.fabric(), plan.groups(), light, world.health()))
                .as(what)
                .isEmpty();
        Set<Integer> occupied = BruteForce.all(world.fabric());
        occupied.removeAll(world.usable());
        occupied.addAll(new RingPlacement(plan.groups()).positions());
        assertThat(RingOrchestration.usableGroups(world.fabric(), world.health(), 4 * size, occupied))
                .as(what)
                .isGreaterThanOrEqualTo(extra);
    }

    @Test
    void isRightAndOnSmallWorldsMostlyAsCheapAsBruteForce() {
        Random random = new Random(SEED);
        int found = 0;
        int possible = 0;
        int cheapest = 0;
        for (int index = 0; index < Seeds.of(150); index++) {
            World world = world(random, 8 + random.nextInt(4), new int[] {1, 2, 3, 4}, 0.3 + 0.5 * random.nextDouble());
            int size = 1 + random.nextInt(4);
            int extra = 1 + random.nextInt(2);
            Set<Integer> movable = IntStream.range(0, world.groups().size())
                    .filter(group -> random.nextInt(4) > 0)
                    .boxed()
                    .collect(Collectors.toSet());
            int budget = movable.size();
            String what = "seed " + SEED + " world " + index + " " + world + " room for " + extra + " of " + size
                    + " by " + movable;
            int least = BruteForce.leastMoves(
                    world.fabric(), world.health(), world.groups(), world.usable(), movable, size, extra);
            possible += least == Integer.MAX_VALUE ? 0 : 1;
            Optional<RepairOutcome.Repaired> plan = gather(world, movable, size, extra, budget);
            if (plan.isPresent()) {
                isRight(what, world, plan.get(), movable, size, extra, budget);
                assertThat(plan.get().changed().size()).as(what).isGreaterThanOrEqualTo(least);
                found++;
                cheapest += plan.get().changed().size() == least ? 1 : 0;
            }
        }
        assertThat(found).as("seed %d, of %d", SEED, possible).isGreaterThan(possible * 9 / 10);
        assertThat(cheapest).as("seed %d, of %d", SEED, found).isGreaterThan(found * 8 / 10);
    }

    /** More groups than a count has bits for. */
    @Test
    void isRightWhereHundredsOfSmallGroupsMayMove() {
        Random random = new Random(SEED);
        for (int index = 0; index < 3; index++) {
            World world = world(random, 900, new int[] {1, 2, 2}, 0.7);
            Set<Integer> movable =
                    IntStream.range(0, world.groups().size()).boxed().collect(Collectors.toSet());
            assertThat(movable).hasSizeGreaterThan(256);
            for (int extra : new int[] {1, 60, 99}) {
                String what = "seed " + SEED + " world " + index + " room for " + extra + " of 2";
                gather(world, movable, 2, extra, movable.size())
                        .ifPresent(plan -> isRight(what, world, plan, movable, 2, extra, movable.size()));
            }
            gather(world, movable, 128, 1, movable.size())
                    .ifPresent(plan -> isRight("128, world " + world, world, plan, movable, 128, 1, movable.size()));
        }
    }

    @Test
    void gathersTheFreeNodesOfLongRings() {
        Random random = new Random(SEED);
        int found = 0;
        int asked = 0;
        for (int index = 0; index < 12; index++) {
            World world = world(random, 100 + random.nextInt(300), new int[] {2, 4, 4, 8, 8, 8, 16}, 0.75);
            int size = new int[] {4, 8, 16}[random.nextInt(3)];
            int extra = world.free().size() * 8 / 10 / size;
            if (extra == 0) {
                continue;
            }
            Set<Integer> movable =
                    IntStream.range(0, world.groups().size()).boxed().collect(Collectors.toSet());
            String what = "seed " + SEED + " world " + index + " " + world + " room for " + extra + " of " + size;
            asked++;
            Optional<RepairOutcome.Repaired> plan = gather(world, movable, size, extra, movable.size());
            assertThat(gather(world, movable, size, extra, movable.size()))
                    .as(what)
                    .isEqualTo(plan);
            if (plan.isPresent()) {
                found++;
                isRight(what, world, plan.get(), movable, size, extra, movable.size());
            }
        }
        assertThat(found).as("seed %d, of %d", SEED, asked).isGreaterThan(asked * 9 / 10);
    }
}
