package dev.lightpath.soak.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ring.BundleDerivation;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.ring.BundleStates;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingShape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RingOracleMutationTest {
    private static final int WORLDS = 150;

    /** A ring with random groups on healthy nodes, some of them over faulty ones. */
    private record World(RingScheme ring, List<Seats> groups, Set<Integer> faulty) {
        static World draw(Random random) {
            int reach = 2 + random.nextInt(4);
            int positions = 2 * reach + 4 + random.nextInt(12);
            boolean closed = random.nextBoolean();
            Set<Integer> faulty = new TreeSet<>();
            for (int node = 0; node < positions; node++) {
                if (random.nextInt(8) == 0) {
                    faulty.add(node);
                }
            }
            List<String> names =
                    IntStream.range(0, positions).mapToObj(node -> "n" + node).toList();
            RingScheme ring = new RingScheme("ring", closed, reach, Math.max(4, reach), names);
            Set<Integer> taken = new HashSet<>(faulty);
            List<Seats> groups = new ArrayList<>();
            for (int tries = 0; tries < positions; tries++) {
                List<Integer> members = chain(random, ring, taken);
                if (!members.isEmpty()) {
                    taken.addAll(members);
                    groups.add(new Seats("job-" + tries, 0, members, ring.gpusPerNode(), false));
                }
            }
            return new World(ring, groups, faulty);
        }

        /** No node takes the longest hop of an odd reach to both sides. */
        private static List<Integer> chain(Random random, RingScheme ring, Set<Integer> taken) {
            List<Integer> members = new ArrayList<>();
            int now = random.nextInt(ring.positions());
            int wanted = 1 + random.nextInt(4);
            int before = 0;
            while (now >= 0 && !taken.contains(now) && !members.contains(now) && members.size() < wanted) {
                members.add(now);
                int most = ring.reach() % 2 == 1 && before == ring.reach() ? ring.reach() - 1 : ring.reach();
                before = 1 + random.nextInt(most);
                now = ring.at(now, before);
            }
            return members;
        }
    }

    @Test
    void findsNothingWrongWithTheLightThatRecordsAskFor() {
        Random random = new Random(1);
        for (int number = 0; number < WORLDS; number++) {
            World world = World.draw(random);
            RingOracle oracle = new RingOracle(world.ring());
            assertThat(oracle.violations(world.groups(), world.faulty(), Set.of(), oracle.wanted(world.groups())))
                    .as("world %d of seed 1: %s", number, world)
                    .isEmpty();
        }
    }

    @Test
    void derivesTheSameLightAsThePlannerByOtherMeans() {
        Random random = new Random(2);
        for (int number = 0; number < WORLDS; number++) {
            World world = World.draw(random);
            RingScheme ring = world.ring();
            RingFabric fabric = RingFabric.of(
                    ring.closed() ? RingShape.RING : RingShape.LINE,
                    ring.positions(),
                    ring.reach(),
                    ring.gpusPerNode());
            BundleStates states = BundleDerivation.derive(
                            fabric,
                            world.groups().stream()
                                    .map(group -> RingGroup.of(group.positions()))
                                    .toList())
                    .states();
            RingOracle oracle = new RingOracle(ring);
            SortedSet<Beam> planned = new TreeSet<>();
            for (int node = 0; node < ring.positions(); node++) {
                for (int bundle = 0; bundle < ring.reach(); bundle++) {
                    planned.add(oracle.beam(node, bundle, path(states.of(node, bundle))));
                }
            }
            assertThat(oracle.wanted(world.groups()))
                    .as("world %d of seed 2: %s", number, world)
                    .isEqualTo(planned);
        }
    }

    private static int path(BundleState state) {
        return switch (state) {
            case LOOPBACK -> 0;
            case PATH_1 -> 1;
            case PATH_2 -> 2;
        };
    }

    @Test
    void findsEveryBundleThatIsOnAnotherPathThanItShould() {
        Random random = new Random(3);
        int mutants = 0;
        for (int number = 0; number < WORLDS / 3; number++) {
            World world = World.draw(random);
            RingOracle oracle = new RingOracle(world.ring());
            SortedSet<Beam> right = oracle.wanted(world.groups());
            for (int node = 0; node < world.ring().positions(); node++) {
                for (int bundle = 0; bundle < world.ring().reach(); bundle++) {
                    for (int path = -1; path <= 2; path++) {
                        SortedSet<Beam> wrong = mutate(oracle, right, node, bundle, path);
                        if (!wrong.equals(right)) {
                            mutants++;
                            assertThat(oracle.violations(world.groups(), world.faulty(), Set.of(), wrong))
                                    .as(
                                            "world %d of seed 3, node %d bundle %d path %d: %s",
                                            number, node, bundle, path, world)
                                    .isNotEmpty();
                        }
                    }
                }
            }
        }
        assertThat(mutants).isGreaterThan(1000);
    }

    /** @param path -1 for dark */
    private static SortedSet<Beam> mutate(RingOracle oracle, SortedSet<Beam> right, int node, int bundle, int path) {
        SortedSet<Beam> wrong = new TreeSet<>(right);
        for (int other = 0; other <= 2; other++) {
            wrong.remove(oracle.beam(node, bundle, other));
        }
        if (path >= 0) {
            wrong.add(oracle.beam(node, bundle, path));
        }
        return wrong;
    }

    @Test
    void findsABundleOnTwoPathsAtOnce() {
        RingOracle oracle = new RingOracle(eight());
        SortedSet<Beam> light = oracle.wanted(List.of());
        light.add(oracle.beam(3, 1, 1));
        assertThat(oracle.violations(List.of(), Set.of(), Set.of(), light))
                .anyMatch(line -> line.startsWith("I1") && line.contains("n3@3 bundle 1"));
    }

    @Test
    void findsAFaultyMemberUnlessItsRepairIsPending() {
        RingOracle oracle = new RingOracle(eight());
        Seats group = new Seats("a", 0, List.of(1, 2, 3), 4, false);
        SortedSet<Beam> light = oracle.wanted(List.of(group));
        assertThat(oracle.violations(List.of(group), Set.of(2), Set.of(), light))
                .anyMatch(line -> line.startsWith("I0"))
                .anyMatch(line -> line.startsWith("I4"))
                .anyMatch(line -> line.startsWith("I5"));
        Seats pending = new Seats("a", 0, List.of(1, 2, 3), 4, true);
        assertThat(oracle.violations(List.of(pending), Set.of(2), Set.of(), light))
                .isEmpty();
    }

    @Test
    void findsASeatThatTwoGroupsHave() {
        RingOracle oracle = new RingOracle(eight());
        List<Seats> groups =
                List.of(new Seats("a", 0, List.of(1, 2), 4, false), new Seats("b", 0, List.of(2, 3), 4, false));
        assertThat(oracle.violations(groups, Set.of(), Set.of(), oracle.wanted(groups)))
                .anyMatch(line -> line.startsWith("I0") && line.contains("n2@2"));
    }

    @Test
    void asksNothingOfADeviceWithoutPower() {
        RingOracle oracle = new RingOracle(eight());
        SortedSet<Beam> light = oracle.wanted(List.of());
        light.removeIf(beam -> beam.device().equals("n4"));
        assertThat(oracle.violations(List.of(), Set.of(4), Set.of("n4"), light)).isEmpty();
        assertThat(oracle.violations(List.of(), Set.of(4), Set.of(), light)).hasSize(3);
    }

    private static RingScheme eight() {
        return new RingScheme(
                "ring",
                true,
                3,
                4,
                IntStream.range(0, 8).mapToObj(node -> "n" + node).toList());
    }
}
