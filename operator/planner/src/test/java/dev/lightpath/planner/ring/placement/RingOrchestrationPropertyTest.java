package dev.lightpath.planner.ring.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ring.BruteForce;
import dev.lightpath.planner.ring.RandomRing;
import dev.lightpath.planner.ring.RingDemand;
import dev.lightpath.planner.ring.RingFabric;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RingOrchestrationPropertyTest {

    private static final long SEED = 7;

    @Test
    void findsTheGreatestNumberOfGroupsThatBruteForceFinds() {
        Random random = new Random(SEED);
        for (int world = 0; world < 500; world++) {
            RandomRing ring = RandomRing.of(random, 14, false);
            RingFabric fabric = ring.fabric();
            int ours =
                    RingOrchestration.usableGroups(fabric, ring.health(), ring.size() * fabric.gpusPerNode(), Set.of());
            int most = BruteForce.mostGroups(fabric, ring.health(), ring.size(), BruteForce.all(fabric));
            assertThat(ours).as("seed %d world %d %s", SEED, world, ring).isEqualTo(most);
        }
    }

    @Test
    void findsTheGreatestNumberOfGroupsWherePathsAreLostToo() {
        Random random = new Random(SEED);
        for (int world = 0; world < 500; world++) {
            RandomRing ring = RandomRing.of(random, 14, true);
            RingFabric fabric = ring.fabric();
            int ours =
                    RingOrchestration.usableGroups(fabric, ring.health(), ring.size() * fabric.gpusPerNode(), Set.of());
            int most = BruteForce.mostGroups(fabric, ring.health(), ring.size(), BruteForce.all(fabric));
            assertThat(ours).as("seed %d world %d %s", SEED, world, ring).isEqualTo(most);
        }
    }

    @Test
    void keepsOffOccupiedNodesAndPassesThem() {
        Random random = new Random(SEED);
        for (int world = 0; world < 200; world++) {
            RandomRing ring = RandomRing.of(random, 30, true);
            Set<Integer> occupied = new HashSet<>();
            for (int position = 0; position < ring.fabric().positions(); position++) {
                if (random.nextInt(5) == 0) {
                    occupied.add(position);
                }
            }
            int tensor = ring.size() * ring.fabric().gpusPerNode();
            int usable = RingOrchestration.usableGroups(ring.fabric(), ring.health(), tensor, occupied);
            for (int wanted = 1; wanted <= usable + 1; wanted++) {
                PlacementOutcome outcome =
                        RingOrchestration.place(ring.fabric(), ring.health(), new RingDemand(tensor, wanted), occupied);
                switch (outcome) {
                    case PlacementOutcome.Placed placed -> {
                        assertThat(placed.placement().groups()).hasSize(wanted);
                        assertThat(placed.placement().positions()).noneMatch(occupied::contains);
                    }
                    case PlacementOutcome.Infeasible infeasible -> {
                        assertThat(wanted).isEqualTo(usable + 1);
                        assertThat(infeasible.usableGroups()).isEqualTo(usable);
                    }
                }
            }
        }
    }
}
