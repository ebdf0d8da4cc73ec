package dev.lightpath.planner.ring.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ring.BruteForce;
import dev.lightpath.planner.ring.RandomRing;
import dev.lightpath.planner.ring.RingDemand;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.ring.RingPlacement;
import dev.lightpath.planner.ring.placement.PlacementOutcome;
import dev.lightpath.planner.ring.placement.RingOrchestration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RingCompactionPropertyTest {

    private static final long SEED = 3;

    /** Room for one more group of the same size. */
    private static Optional<RepairOutcome.Repaired> makeRoom(
            RingFabric fabric,
            RingHealth health,
            List<RingGroup> groups,
            Set<Integer> movable,
            Set<Integer> free,
            int size,
            int budget) {
        RingSets sets = RingSets.consecutive(fabric, groups);
        return RingCompaction.makeRoom(fabric, health, groups, movable, free, size, 1, budget, sets, 1_000_000);
    }

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
            Optional<RepairOutcome.Repaired> plan = makeRoom(fabric, ring.health(), groups, all, free, size, wanted);
            assertThat(plan).as(what).isPresent();
            assertThat(plan.get().changed()).as(what).hasSize(least);
            Set<Integer> occupied = new RingPlacement(plan.get().groups()).positions();
            assertThat(RingOrchestration.usableGroups(fabric, ring.health(), tensor, occupied))
                    .as(what)
                    .isGreaterThanOrEqualTo(1);
            moved += plan.get().changed().isEmpty() ? 0 : 1;
            if (least > 0) {
                assertThat(makeRoom(fabric, ring.health(), groups, all, free, size, least - 1))
                        .as(what)
                        .isEmpty();
                assertThat(makeRoom(fabric, ring.health(), groups, Set.of(), free, size, wanted))
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
}
