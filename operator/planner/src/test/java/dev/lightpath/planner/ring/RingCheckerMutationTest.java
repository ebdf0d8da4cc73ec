package dev.lightpath.planner.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ring.placement.PlacementOutcome;
import dev.lightpath.planner.ring.placement.RingOrchestration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Every field of a right answer, changed alone, is found wrong: members and their order, groups, bundles, faults, lost
 * paths.
 */
class RingCheckerMutationTest {

    private static final long SEED = 34;

    private record Answer(RingFabric fabric, List<RingGroup> groups, BundleStates states, RingHealth health) {

        List<RingViolation> check() {
            return RingChecker.check(fabric, groups, states, health);
        }

        Answer with(List<RingGroup> changed) {
            return new Answer(fabric, changed, states, health);
        }

        Answer with(BundleStates changed) {
            return new Answer(fabric, groups, changed, health);
        }

        Answer with(RingHealth changed) {
            return new Answer(fabric, groups, states, changed);
        }
    }

    @Test
    void findsEverySingleMutationOfARightAnswer() {
        Random random = new Random(SEED);
        Map<String, Integer> tried = new TreeMap<>();
        for (int world = 0; world < 150; world++) {
            RandomRing ring = RandomRing.of(random, 22, world % 2 == 0);
            RingFabric fabric = ring.fabric();
            int tensor = ring.size() * fabric.gpusPerNode();
            int usable = RingOrchestration.usableGroups(fabric, ring.health(), tensor, Set.of());
            if (usable == 0) {
                continue;
            }
            var placed = (PlacementOutcome.Placed) RingOrchestration.place(
                    fabric, ring.health(), new RingDemand(tensor, 1 + random.nextInt(usable)), Set.of());
            List<RingGroup> groups = placed.placement().groups();
            BundleStates states = BundleDerivation.derive(fabric, groups).states();
            Answer right = new Answer(fabric, groups, states, ring.health());
            String what = "seed " + SEED + " world " + world + " " + right;
            assertThat(right.check()).as(what).isEmpty();
            mutants(right)
                    .forEach((kind, mutants) -> mutants.forEach(mutant -> {
                        tried.merge(kind, 1, Integer::sum);
                        assertThat(mutant.check())
                                .as("%s: %s%n%s", kind, mutant, what)
                                .isNotEmpty();
                    }));
        }
        assertThat(tried)
                .hasSize(9)
                .allSatisfy((kind, times) -> assertThat(times).as(kind).isGreaterThan(20));
    }

    private static Map<String, List<Answer>> mutants(Answer right) {
        Map<String, List<Answer>> mutants = new LinkedHashMap<>();
        mutants.put("another member", new ArrayList<>());
        mutants.put("two members change places", new ArrayList<>());
        mutants.put("a member is missing", new ArrayList<>());
        mutants.put("a lit group is missing", new ArrayList<>());
        mutants.put("a group is listed twice", new ArrayList<>());
        mutants.put("a group takes half of its node", new ArrayList<>());
        mutants.put("another state of a bundle", bundles(right));
        mutants.put("a member is faulty", new ArrayList<>());
        mutants.put("a path in use is lost", new ArrayList<>());
        for (int index = 0; index < right.groups().size(); index++) {
            RingGroup group = right.groups().get(index);
            members(right, index, mutants);
            if (group.size() > 1) {
                List<RingGroup> without = new ArrayList<>(right.groups());
                without.remove(index);
                mutants.get("a lit group is missing").add(right.with(without));
            }
            List<RingGroup> twice = new ArrayList<>(right.groups());
            twice.add(group);
            mutants.get("a group is listed twice").add(right.with(twice));
            if (group.size() == 1) {
                List<RingGroup> half = new ArrayList<>(twice);
                half.set(half.size() - 1, new RingGroup(group.members(), 1, 2));
                mutants.get("a group takes half of its node").add(right.with(half));
            }
            for (int member : group.members()) {
                faults(right, member, mutants);
            }
        }
        return mutants;
    }

    private static void members(Answer right, int index, Map<String, List<Answer>> mutants) {
        RingGroup group = right.groups().get(index);
        for (int rank = 0; rank < group.size(); rank++) {
            for (int node = 0; node < right.fabric().positions() && group.size() > 1; node++) {
                if (!group.members().contains(node)) {
                    List<Integer> members = new ArrayList<>(group.members());
                    members.set(rank, node);
                    mutants.get("another member").add(right.with(replaced(right, index, members)));
                }
            }
            for (int other = rank + 1; other < group.size(); other++) {
                List<Integer> members = new ArrayList<>(group.members());
                Collections.swap(members, rank, other);
                mutants.get("two members change places").add(right.with(replaced(right, index, members)));
            }
            if (group.size() > 1) {
                List<Integer> members = new ArrayList<>(group.members());
                members.remove(rank);
                mutants.get("a member is missing").add(right.with(replaced(right, index, members)));
            }
        }
    }

    private static List<RingGroup> replaced(Answer right, int index, List<Integer> members) {
        List<RingGroup> groups = new ArrayList<>(right.groups());
        groups.set(index, RingGroup.of(members));
        return groups;
    }

    private static List<Answer> bundles(Answer right) {
        List<Answer> mutants = new ArrayList<>();
        for (int node = 0; node < right.fabric().positions(); node++) {
            for (int bundle = 0; bundle < right.fabric().reach(); bundle++) {
                for (BundleState state : BundleState.values()) {
                    if (state != right.states().of(node, bundle)) {
                        mutants.add(right.with(right.states().with(node, bundle, state)));
                    }
                }
            }
        }
        SortedMap<Integer, List<BundleState>> more = new TreeMap<>();
        right.states().lit().forEach((node, states) -> {
            List<BundleState> longer = new ArrayList<>(states);
            longer.add(BundleState.LOOPBACK);
            more.put(node, longer);
        });
        mutants.add(right.with(new BundleStates(right.fabric().reach() + 1, more)));
        return mutants;
    }

    private static void faults(Answer right, int member, Map<String, List<Answer>> mutants) {
        Set<Integer> faulty = new HashSet<>(right.health().faulty());
        faulty.add(member);
        mutants.get("a member is faulty")
                .add(right.with(
                        new RingHealth(new TreeSet<>(faulty), right.health().lost())));
        for (int bundle = 0; bundle < right.fabric().reach(); bundle++) {
            Map<Integer, Set<BundlePath>> lost = new TreeMap<>();
            right.health().lost().forEach(lost::put);
            Set<BundlePath> mine = new HashSet<>(lost.getOrDefault(member, Set.of()));
            mine.add(new BundlePath(bundle, right.states().of(member, bundle)));
            lost.put(member, mine);
            mutants.get("a path in use is lost")
                    .add(right.with(RingHealth.of(right.health().faulty(), lost)));
        }
    }
}
