package dev.lightpath.planner.share;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.Seeds;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class FabricGroupsPropertyTest {
    /** What a random cluster has. */
    private record Plant(SortedMap<String, SortedSet<String>> claims, List<Set<String>> jobs) {
        static Plant of(Random random) {
            int fabrics = 1 + random.nextInt(8);
            int things = 1 + random.nextInt(20);
            SortedMap<String, SortedSet<String>> claims = new TreeMap<>();
            for (int fabric = 0; fabric < fabrics; fabric++) {
                SortedSet<String> claimed = new TreeSet<>();
                for (int some = random.nextInt(4); some > 0; some--) {
                    claimed.add("thing-" + random.nextInt(things));
                }
                claims.put("fabric-" + random.nextInt(100), claimed);
            }
            List<String> names = new ArrayList<>(claims.keySet());
            names.add("unknown");
            List<Set<String>> jobs = new ArrayList<>();
            for (int job = random.nextInt(4); job > 0; job--) {
                jobs.add(new TreeSet<>(
                        List.of(names.get(random.nextInt(names.size())), names.get(random.nextInt(names.size())))));
            }
            return new Plant(claims, jobs);
        }

        FabricGroups groups() {
            return FabricGroups.of(claims).joining(jobs);
        }

        /** Whether two fabrics have something in common themselves. */
        boolean touch(String one, String other) {
            Set<String> common = new HashSet<>(claims.getOrDefault(one, new TreeSet<>()));
            common.retainAll(claims.getOrDefault(other, new TreeSet<>()));
            return !common.isEmpty() || jobs.stream().anyMatch(job -> job.contains(one) && job.contains(other));
        }

        /** All that can be reached from a fabric, step by step. */
        SortedSet<String> reached(String from) {
            SortedSet<String> reached = new TreeSet<>(Set.of(from));
            boolean more = true;
            while (more) {
                more = reached.addAll(claims.keySet().stream()
                        .filter(each -> reached.stream().anyMatch(known -> touch(known, each)))
                        .toList());
            }
            return reached;
        }
    }

    private interface Check {
        void of(Plant plant, Random random);
    }

    private static void each(Check check) {
        for (int seed = 0; seed < Seeds.of(3000); seed++) {
            Random random = new Random(seed);
            try {
                check.of(Plant.of(random), random);
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    @Test
    void aGroupIsWhatCanBeReachedThroughCommonThingsAndJobs() {
        each((plant, random) -> {
            FabricGroups groups = plant.groups();
            assertThat(groups.groups().values().stream()
                            .flatMap(Collection::stream)
                            .toList())
                    .containsExactlyInAnyOrderElementsOf(plant.claims().keySet());
            groups.groups()
                    .forEach((name, fabrics) ->
                            assertThat(fabrics).startsWith(name).isEqualTo(plant.reached(name)));
        });
    }

    @Test
    void aFabricThatTouchesNothingChangesNoOtherGroup() {
        each((plant, random) -> {
            SortedMap<String, SortedSet<String>> more = new TreeMap<>(plant.claims());
            String added = "fabric-" + random.nextInt(100) + "-new";
            more.put(added, new TreeSet<>(Set.of("thing-of-its-own")));
            SortedMap<String, SortedSet<String>> groups =
                    new TreeMap<>(new Plant(more, plant.jobs()).groups().groups());
            assertThat(groups.remove(added)).containsExactly(added);
            assertThat(groups).isEqualTo(plant.groups().groups());
        });
    }

    @Test
    void aJobMergesTheGroupsOfItsFabricsAndItsEndSplitsThem() {
        each((plant, random) -> {
            List<String> names = List.copyOf(plant.claims().keySet());
            String one = names.get(random.nextInt(names.size()));
            String other = names.get(random.nextInt(names.size()));
            FabricGroups before = plant.groups();
            List<Set<String>> jobs = new ArrayList<>(plant.jobs());
            jobs.add(new TreeSet<>(List.of(one, other)));
            SortedMap<String, SortedSet<String>> merged =
                    new TreeMap<>(new Plant(plant.claims(), jobs).groups().groups());
            SortedSet<String> both = new TreeSet<>(plant.reached(one));
            both.addAll(plant.reached(other));
            assertThat(merged.remove(both.first())).isEqualTo(both);
            before.groups().forEach((name, fabrics) -> {
                if (!both.contains(name)) {
                    assertThat(merged.remove(name)).isEqualTo(fabrics);
                }
            });
            assertThat(merged).isEmpty();

            FabricGroups byClaims = FabricGroups.of(plant.claims());
            byClaims.joining(jobs);
            FabricGroups parted = byClaims.joining(plant.jobs());
            parted.groups().forEach((name, fabrics) -> assertThat(fabrics).isEqualTo(plant.reached(name)));
        });
    }

    @Test
    void isTheSameObjectWhereNoJobNeedsTwoGroups() {
        each((plant, random) -> {
            FabricGroups groups = plant.groups();
            List<Set<String>> within = new ArrayList<>();
            groups.groups().values().forEach(within::add);
            within.add(Set.of("unknown"));
            assertThat(groups.joining(within)).isSameAs(groups);
        });
    }
}
