package dev.lightpath.planner.share;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AssignmentPropertyTest {
    private record Scene(
            SortedMap<String, SortedSet<String>> groups, Map<String, String> holders, List<String> replicas) {
        static Scene of(Random random) {
            List<String> replicas = IntStream.range(0, 1 + random.nextInt(5))
                    .mapToObj(number -> "operator-" + number + "-" + random.nextInt(1000))
                    .toList();
            SortedMap<String, SortedSet<String>> groups = new TreeMap<>();
            Map<String, String> holders = new TreeMap<>();
            for (int group = random.nextInt(12); group > 0; group--) {
                SortedSet<String> fabrics = new TreeSet<>();
                for (int fabric = 1 + random.nextInt(3); fabric > 0; fabric--) {
                    String name = "ring-" + group + "-" + fabric;
                    fabrics.add(name);
                    if (random.nextBoolean()) {
                        holders.put(
                                name, random.nextInt(8) == 0 ? "dead" : replicas.get(random.nextInt(replicas.size())));
                    }
                }
                groups.put(fabrics.first(), fabrics);
            }
            return new Scene(groups, holders, replicas);
        }

        Assignment assignment() {
            return Assignment.of(groups, holders, replicas, Map.of());
        }

        /** Holders once everybody has what it is to have. */
        Scene settled(Assignment assignment) {
            Map<String, String> next = new TreeMap<>();
            replicas.forEach(replica -> assignment
                    .of(replica)
                    .forEach(group ->
                            groups.getOrDefault(group, new TreeSet<>()).forEach(fabric -> next.put(fabric, replica))));
            return new Scene(groups, next, replicas);
        }

        List<Integer> loads(Assignment assignment) {
            return replicas.stream()
                    .map(replica -> assignment.of(replica).size())
                    .toList();
        }
    }

    private interface Check {
        void of(Scene scene, Random random);
    }

    private static void each(Check check) {
        for (int seed = 0; seed < Seeds.of(3000); seed++) {
            Random random = new Random(seed);
            try {
                check.of(Scene.of(random), random);
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    @Test
    void everyGroupHasExactlyOneReplica() {
        each((scene, random) -> {
            for (Assignment each :
                    List.of(scene.assignment(), scene.assignment().balanced())) {
                List<String> all = new ArrayList<>();
                scene.replicas().forEach(replica -> all.addAll(each.of(replica)));
                assertThat(all)
                        .containsExactlyInAnyOrderElementsOf(scene.groups().keySet());
            }
        });
    }

    @Test
    void isTheSameInWhateverOrderReplicasAreSeen() {
        each((scene, random) -> {
            List<String> shuffled = new ArrayList<>(scene.replicas());
            Collections.shuffle(shuffled, random);
            Assignment other = Assignment.of(scene.groups(), scene.holders(), shuffled, Map.of());
            scene.replicas().forEach(replica -> {
                assertThat(other.of(replica)).isEqualTo(scene.assignment().of(replica));
                assertThat(other.balanced().of(replica))
                        .isEqualTo(scene.assignment().balanced().of(replica));
            });
        });
    }

    @Test
    void whoHoldsAGroupAloneKeepsIt() {
        each((scene, random) -> scene.groups().forEach((group, fabrics) -> {
            SortedSet<String> holders = new TreeSet<>();
            fabrics.forEach(fabric -> Optional.ofNullable(scene.holders().get(fabric))
                    .filter(scene.replicas()::contains)
                    .ifPresent(holders::add));
            if (holders.size() == 1) {
                assertThat(scene.assignment().of(holders.first())).contains(group);
            }
        }));
    }

    @Test
    void noReplicaHasTwoGroupsMoreThanAnotherOnceBalanced() {
        each((scene, random) -> {
            List<Integer> loads = scene.loads(scene.assignment().balanced());
            assertThat(Collections.max(loads) - Collections.min(loads)).isLessThan(2);
        });
    }

    @Test
    void restsOnceEverybodyHasWhatItIsToHave() {
        each((scene, random) -> {
            Assignment balanced = scene.assignment().balanced();
            Assignment again = scene.settled(balanced).assignment().balanced();
            scene.replicas().forEach(replica -> assertThat(again.of(replica)).isEqualTo(balanced.of(replica)));
        });
    }

    @Test
    void whatADeadReplicaLeavesMovesNoOtherGroupAndIsShared() {
        each((scene, random) -> {
            if (scene.replicas().size() < 2) {
                return;
            }
            Assignment before = scene.assignment().balanced();
            Scene settled = scene.settled(before);
            List<String> left = scene.replicas().subList(1, scene.replicas().size());
            Assignment after = Assignment.of(scene.groups(), settled.holders(), left, Map.of());
            left.forEach(replica -> assertThat(after.of(replica)).containsAll(before.of(replica)));
            List<Integer> loads =
                    left.stream().map(replica -> after.of(replica).size()).toList();
            assertThat(Collections.max(loads) - Collections.min(loads)).isLessThan(2);
        });
    }

    @Test
    void whatThereIsOnceStaysWithItsHolderAndElseIsOfTheSameForAll() {
        each((scene, random) -> {
            List<String> shuffled = new ArrayList<>(scene.replicas());
            Collections.shuffle(shuffled, random);
            String chosen = Assignment.one("the rest", "dead", scene.replicas(), scene.replicas());
            assertThat(Assignment.one("the rest", "", shuffled, shuffled)).isEqualTo(chosen);
            String holder = shuffled.getFirst();
            assertThat(Assignment.one("the rest", holder, scene.replicas(), List.of(chosen)))
                    .isEqualTo(holder);
        });
    }

    /**
     * The hash of many groups falls on each of three replicas about as often: by a third, within six standard
     * deviations.
     */
    @Test
    void hashesSpreadWhatNobodyHolds() {
        List<String> replicas = List.of("lightpath-operator-0", "lightpath-operator-1", "lightpath-operator-2");
        int[] first = new int[3];
        int groups = 3000;
        for (int group = 0; group < groups; group++) {
            first[replicas.indexOf(Assignment.one("ring-" + group, "", replicas, replicas))]++;
        }
        assertThat(first).satisfies(counts -> {
            for (int count : counts) {
                assertThat(count).isBetween(groups / 3 - 155, groups / 3 + 155);
            }
        });
    }
}
