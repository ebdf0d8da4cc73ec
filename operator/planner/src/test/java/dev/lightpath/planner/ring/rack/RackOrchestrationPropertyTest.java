package dev.lightpath.planner.ring.rack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ring.BundleDerivation;
import dev.lightpath.planner.ring.BundlePath;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.ring.RingChecker;
import dev.lightpath.planner.ring.RingDemand;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.ring.placement.RingOrchestration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RackOrchestrationPropertyTest {

    private static final long SEED = 5;

    private static SortedSet<Integer> faulty(Random random, int positions, double ratio) {
        SortedSet<Integer> faulty = new TreeSet<>();
        for (int position = 0; position < positions; position++) {
            if (random.nextDouble() < ratio) {
                faulty.add(position);
            }
        }
        return faulty;
    }

    @Test
    void crossesAsLittleAsBruteForceForTwoNodesPerRack() {
        Random random = new Random(SEED);
        int compared = 0;
        for (int world = 0; world < 250; world++) {
            int columns = 5 + random.nextInt(3);
            int size = 2 + random.nextInt(2);
            RingFabric fabric = new RingFabric(RingShape.LINE, 2 * columns, 2 + random.nextInt(2), 4, 2, 2 * columns);
            RingHealth health = RingHealth.faulty(faulty(random, fabric.positions(), 0.25));
            SmallestCrossing brute = new SmallestCrossing(fabric, health, size);
            for (int wanted = 1; wanted <= brute.mostGroups(); wanted++) {
                var placed = (RackOutcome.Placed) RackOrchestration.place(
                        fabric, health, new RingDemand(4 * size, wanted), Set.of(), RackAlgorithm.EXACT);
                List<RingGroup> groups = placed.placement().groups();
                String what = "seed %d world %d %s %s size %d wanted %d: %s"
                        .formatted(SEED, world, fabric, health, size, wanted, groups);
                assertThat(CrossTor.crossings(fabric, groups)).as(what).isLessThanOrEqualTo(brute.crossings(wanted));
                assertThat(placed.crossTorBound()).as(what).isLessThanOrEqualTo(placed.crossTorRatio() + 1e-12);
                assertThat(RackOrchestration.floor(fabric, health, new RingDemand(4 * size, wanted), Set.of()))
                        .as(what)
                        .isLessThanOrEqualTo(placed.crossTorBound() + 1e-12);
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(400);
    }

    @Test
    void crossesAsLittleAsAnyPlacementThatLightAllows() {
        Random random = new Random(SEED);
        int compared = 0;
        for (int world = 0; world < 250; world++) {
            int p = 2 + random.nextInt(3);
            int columns = Math.max(2, (6 + random.nextInt(6)) / p);
            int reach = 2 + random.nextInt(3);
            RingShape shape = 2 * reach <= p * columns ? RingShape.values()[random.nextInt(2)] : RingShape.LINE;
            int perDomain = columns % 2 == 0 && random.nextInt(3) == 0 ? columns / 2 : columns;
            RingFabric fabric = new RingFabric(shape, p * columns, reach, 4, p, p * perDomain);
            int size = 2 + random.nextInt(3);
            RingHealth health = health(random, fabric, world % 3 == 0);
            LeastCrossing brute = new LeastCrossing(fabric, health, size);
            String where = "seed %d world %d %s %s size %d".formatted(SEED, world, fabric, health, size);
            assertThat(RingOrchestration.usableGroups(fabric, health, 4 * size, Set.of()))
                    .as(where)
                    .isEqualTo(brute.mostGroups());
            for (int wanted = 1; wanted <= brute.mostGroups(); wanted++) {
                var placed = (RackOutcome.Placed) RackOrchestration.place(
                        fabric, health, new RingDemand(4 * size, wanted), Set.of(), RackAlgorithm.EXACT);
                List<RingGroup> groups = placed.placement().groups();
                String what = where + " wanted " + wanted + ": " + groups;
                assertThat(groups).as(what).hasSize(wanted);
                assertThat(CrossTor.crossings(fabric, groups)).as(what).isEqualTo(brute.crossings(wanted));
                assertThat(placed.crossTorBound()).as(what).isEqualTo(placed.crossTorRatio());
                assertThat(groups).as(what).allMatch(group -> health.supports(fabric, group));
                BundleDerivation light = BundleDerivation.derive(fabric, groups);
                assertThat(RingChecker.check(fabric, groups, light.states(), health.faulty()))
                        .as(what)
                        .isEmpty();
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(400);
    }

    private static RingHealth health(Random random, RingFabric fabric, boolean partialFaults) {
        SortedSet<Integer> faulty = faulty(random, fabric.positions(), 0.15 * random.nextInt(3));
        Map<Integer, Set<BundlePath>> lost = new TreeMap<>();
        for (int position = 0; position < fabric.positions() && partialFaults; position++) {
            if (!faulty.contains(position) && random.nextInt(4) == 0) {
                BundlePath path = new BundlePath(random.nextInt(fabric.reach()), BundleState.PATH_1);
                BundlePath other = new BundlePath(path.bundle(), BundleState.PATH_2);
                lost.put(position, random.nextBoolean() ? Set.of(path, other) : Set.of(path));
            }
        }
        return RingHealth.of(faulty, lost);
    }

    @Test
    void everyAlgorithmPlacesExactlyTheGroupsWantedInLightThatTheCheckerAccepts() {
        Random random = new Random(SEED);
        for (int world = 0; world < 150; world++) {
            int p = 1 + random.nextInt(4);
            int domains = 1 + random.nextInt(3);
            int columnsPerDomain = 8 + random.nextInt(12);
            int reach = 2 + random.nextInt(3);
            RingShape shape = RingShape.values()[random.nextInt(2)];
            RingFabric fabric =
                    new RingFabric(shape, p * domains * columnsPerDomain, reach, 4, p, p * columnsPerDomain);
            int positions = fabric.positions();
            RingHealth health = RingHealth.faulty(faulty(random, positions, 0.15 * random.nextDouble()));
            int tensor = 4 * (1 + random.nextInt(4));
            int usable = RingOrchestration.usableGroups(fabric, health, tensor, Set.of());
            for (int wanted : new int[] {1, (usable + 1) / 2, usable}) {
                if (wanted < 1 || wanted > usable) {
                    continue;
                }
                for (RackAlgorithm algorithm : RackAlgorithm.values()) {
                    var outcome = RackOrchestration.place(
                            fabric, health, new RingDemand(tensor, wanted), Set.of(), algorithm);
                    if (!(outcome instanceof RackOutcome.Placed placed)) {
                        assertThat(algorithm).isEqualTo(RackAlgorithm.PAPER);
                        continue;
                    }
                    List<RingGroup> groups = placed.placement().groups();
                    String what = "seed %d world %d %s %s %s tensor %d wanted %d"
                            .formatted(SEED, world, algorithm, fabric, health, tensor, wanted);
                    assertThat(groups).as(what).hasSize(wanted);
                    BundleDerivation light = BundleDerivation.derive(fabric, groups);
                    assertThat(light.conflicts()).as(what).isEmpty();
                    assertThat(RingChecker.check(fabric, groups, light.states(), health.faulty()))
                            .as(what)
                            .isEmpty();
                    assertThat(placed.crossTorBound()).as(what).isLessThanOrEqualTo(placed.crossTorRatio() + 1e-12);
                }
            }
        }
    }

    @Test
    void aPartialLastSetCrossesWhole() {
        RingFabric fabric = new RingFabric(RingShape.LINE, 8, 2, 4, 2, 8);
        List<RingGroup> groups = List.of(RingGroup.of(0, 1), RingGroup.of(4, 5), RingGroup.of(2, 3));
        assertThat(CrossTor.crossings(fabric, groups)).isEqualTo(2);
        assertThat(CrossTor.ratio(fabric, groups)).isEqualTo(2.0 / 6);
    }

    /** Tries all sets of groups that do not interleave on their sub-line, and all ways to pair them. */
    private static final class SmallestCrossing {

        private final List<List<int[]>> found = new ArrayList<>();
        private final long[] crossings;

        SmallestCrossing(RingFabric fabric, RingHealth health, int size) {
            List<int[]> candidates = new ArrayList<>();
            for (int start = 0; start < fabric.positions(); start++) {
                extend(fabric, health, new int[size], 0, start, candidates);
            }
            choose(candidates, 0, new ArrayList<>());
            int most = found.stream().mapToInt(List::size).max().orElse(0);
            crossings = new long[most + 1];
            Arrays.fill(crossings, Long.MAX_VALUE);
            for (List<int[]> groups : found) {
                long least = pair(fabric, groups, 0, new boolean[groups.size()]);
                crossings[groups.size()] = Math.min(crossings[groups.size()], least);
            }
        }

        int mostGroups() {
            return crossings.length - 1;
        }

        long crossings(int groups) {
            return crossings[groups];
        }

        private static void extend(
                RingFabric fabric, RingHealth health, int[] group, int rank, int at, List<int[]> candidates) {
            boolean sameLine = rank == 0 || at / fabric.tors() == group[0] / fabric.tors();
            if (at >= fabric.positions() || health.isFaulty(at) || !sameLine) {
                return;
            }
            group[rank] = at;
            if (rank + 1 == group.length) {
                if (health.supports(fabric, RingGroup.of(group))) {
                    candidates.add(group.clone());
                }
                return;
            }
            for (int hop = 1; hop <= fabric.reach(); hop++) {
                extend(fabric, health, group, rank + 1, at + hop, candidates);
            }
        }

        private void choose(List<int[]> candidates, int free, List<int[]> chosen) {
            found.add(List.copyOf(chosen));
            for (int[] group : candidates) {
                if (group[0] >= free) {
                    chosen.addLast(group);
                    choose(candidates, group[group.length - 1] + 1, chosen);
                    chosen.removeLast();
                }
            }
        }

        private static long pair(RingFabric fabric, List<int[]> groups, int from, boolean[] paired) {
            int first = from;
            while (first < paired.length && paired[first]) {
                first++;
            }
            if (first == paired.length) {
                return 0;
            }
            paired[first] = true;
            int size = groups.getFirst().length;
            long remaining = 0;
            for (boolean done : paired) {
                remaining += done ? 0 : 1;
            }
            long best = remaining % 2 == 0 ? size + pair(fabric, groups, first + 1, paired) : Long.MAX_VALUE;
            for (int other = first + 1; other < paired.length; other++) {
                if (!paired[other]) {
                    paired[other] = true;
                    List<RingGroup> set = List.of(RingGroup.of(groups.get(first)), RingGroup.of(groups.get(other)));
                    best = Math.min(best, CrossTor.crossings(fabric, set) + pair(fabric, groups, first + 1, paired));
                    paired[other] = false;
                }
            }
            paired[first] = false;
            return best;
        }
    }
}
