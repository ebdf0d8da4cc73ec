package dev.lightpath.planner.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RingCompactionPropertyTest {

    private static final long SEED = 3;

    @Test
    void movesTheFewestGroupsThatMakeTheRoomAndNoneForNothing() {
        Random random = new Random(SEED);
        int moved = 0;
        for (int world = 0; world < 400; world++) {
            RandomRing ring = RandomRing.of(random, 15, false);
            RingFabric fabric = ring.fabric();
            int size = ring.size();
            int tensor = size * fabric.gpusPerNode();
            int usable = RingOrchestration.usableGroups(fabric, ring.health(), tensor, Set.of());
            if (usable < 2) {
                continue;
            }
            int wanted = 1 + random.nextInt(usable - 1);
            var placed = (PlacementOutcome.Placed)
                    RingOrchestration.place(fabric, ring.health(), new RingDemand(tensor, wanted), Set.of());
            List<RingGroup> groups = placed.placement().groups();
            Set<Integer> free = new HashSet<>(BruteForce.all(fabric));
            free.removeAll(placed.placement().positions());
            Set<Integer> all = IntStream.range(0, wanted).boxed().collect(Collectors.toSet());
            String what = "seed " + SEED + " world " + world + " " + ring + " " + groups;
            int least = leastMoves(fabric, ring.health(), groups);
            Optional<RepairOutcome.Repaired> plan =
                    RingCompaction.makeRoom(fabric, ring.health(), groups, all, free, size, 1, wanted);
            assertThat(plan).as(what).isPresent();
            assertThat(plan.get().changed()).as(what).hasSize(least);
            Set<Integer> occupied = new RingPlacement(plan.get().groups()).positions();
            assertThat(RingOrchestration.usableGroups(fabric, ring.health(), tensor, occupied))
                    .as(what)
                    .isGreaterThanOrEqualTo(1);
            moved += plan.get().changed().isEmpty() ? 0 : 1;
            if (least > 0) {
                assertThat(RingCompaction.makeRoom(fabric, ring.health(), groups, all, free, size, 1, least - 1))
                        .as(what)
                        .isEmpty();
                assertThat(RingCompaction.makeRoom(fabric, ring.health(), groups, Set.of(), free, size, 1, wanted))
                        .as(what)
                        .isEmpty();
            }
        }
        assertThat(moved).isGreaterThan(20);
    }

    private static int leastMoves(RingFabric fabric, RingHealth health, List<RingGroup> groups) {
        int least = groups.size();
        for (int kept = 0; kept < 1 << groups.size(); kept++) {
            Set<Integer> room = BruteForce.all(fabric);
            for (int group = 0; group < groups.size(); group++) {
                if ((kept >> group & 1) == 1) {
                    room.removeAll(groups.get(group).members());
                }
            }
            int moves = groups.size() - Integer.bitCount(kept);
            int size = groups.getFirst().size();
            if (moves < least && BruteForce.mostGroups(fabric, health, size, room) >= moves + 1) {
                least = moves;
            }
        }
        return least;
    }

    @Test
    void jobsOfDifferentSizesAreServedByPriorityThenAge() {
        RingFabric fabric = RingFabric.of(RingShape.RING, 12, 3, 4);
        List<RingWish> wishes = List.of(
                new RingWish("young", new RingDemand(16, 2), 0, 2),
                new RingWish("small", new RingDemand(2, 3), 0, 3),
                new RingWish("old", new RingDemand(8, 2), 0, 1),
                new RingWish("urgent", new RingDemand(16, 1), 5, 9));
        Map<String, PlacementOutcome> answers =
                RingAdmission.admit(fabric, RingHealth.faulty(Set.of(7)), wishes, Set.of());
        assertThat(answers.keySet()).containsExactly("urgent", "old", "young", "small");
        assertThat(answers.get("young")).isInstanceOf(PlacementOutcome.Infeasible.class);
        Set<Integer> used = new HashSet<>();
        for (String job : List.of("urgent", "old", "small")) {
            var placed = (PlacementOutcome.Placed) Objects.requireNonNull(answers.get(job));
            assertThat(placed.placement().positions()).noneMatch(used::contains).doesNotContain(7);
            used.addAll(placed.placement().positions());
        }
    }
}
