package dev.lightpath.planner.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ring.placement.PlacementOutcome;
import dev.lightpath.planner.ring.placement.RingOrchestration;
import dev.lightpath.planner.ring.placement.SparePolicy;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RingCheckerPropertyTest {

    private static final long SEED = 20260101;

    @Test
    void acceptsEveryPlacementAndCatchesEveryChangedBundle() {
        Random random = new Random(SEED);
        int mutations = 0;
        for (int world = 0; world < 400; world++) {
            RandomRing ring = RandomRing.of(random, 24, world % 2 == 0);
            RingFabric fabric = ring.fabric();
            RingDemand demand = new RingDemand(ring.size() * fabric.gpusPerNode(), 1);
            int usable = RingOrchestration.usableGroups(fabric, ring.health(), demand.tensor(), Set.of());
            if (usable == 0) {
                continue;
            }
            var outcome = RingOrchestration.place(
                    fabric,
                    ring.health(),
                    new RingDemand(demand.tensor(), 1 + random.nextInt(usable)),
                    Set.of(),
                    SparePolicy.values()[world % 2]);
            List<RingGroup> groups =
                    ((PlacementOutcome.Placed) outcome).placement().groups();
            BundleDerivation derivation = BundleDerivation.derive(fabric, groups);
            String what = "seed " + SEED + " world " + world + " " + fabric + " " + groups;
            assertThat(derivation.conflicts()).as(what).isEmpty();
            assertThat(RingChecker.check(
                            fabric, groups, derivation.states(), ring.health().faulty()))
                    .as(what)
                    .isEmpty();
            assertThat(groups).as(what).allMatch(group -> ring.health().supports(fabric, group));
            for (int node = 0; node < fabric.positions(); node++) {
                for (int bundle = 0; bundle < fabric.reach(); bundle++) {
                    for (BundleState state : BundleState.values()) {
                        if (state != derivation.states().of(node, bundle)) {
                            mutations++;
                            assertThat(RingChecker.check(
                                            fabric,
                                            groups,
                                            derivation.states().with(node, bundle, state),
                                            ring.health().faulty()))
                                    .as("%s node %d bundle %d %s", what, node, bundle, state)
                                    .isNotEmpty();
                        }
                    }
                }
            }
        }
        assertThat(mutations).isGreaterThan(10_000);
    }

    @Test
    void findsAFaultyMemberAnOverlapAndANodeOutside() {
        RingFabric fabric = RingFabric.of(RingShape.LINE, 8, 3, 4);
        List<RingGroup> groups = List.of(RingGroup.of(0, 1), RingGroup.of(1, 2));
        BundleStates states = BundleDerivation.derive(fabric, groups).states();
        assertThat(RingChecker.check(fabric, groups, states, Set.of(0)))
                .extracting(RingViolation::invariant)
                .contains(RingInvariant.I0, RingInvariant.I4);
        assertThat(RingChecker.check(fabric, List.of(RingGroup.of(9)), BundleStates.dark(3), Set.of()))
                .extracting(RingViolation::invariant)
                .containsExactly(RingInvariant.I0);
    }

    @Test
    void groupsThatShareANodeAreDisjointByGpu() {
        RingFabric fabric = RingFabric.of(RingShape.RING, 8, 3, 4);
        BundleStates dark = BundleStates.dark(3);
        List<RingGroup> shared = List.of(new RingGroup(List.of(2), 0, 2), new RingGroup(List.of(2), 1, 2));
        assertThat(RingChecker.check(fabric, shared, dark, Set.of())).isEmpty();
        List<RingGroup> twice = List.of(new RingGroup(List.of(2), 0, 2), new RingGroup(List.of(2), 0, 2));
        assertThat(RingChecker.check(fabric, twice, dark, Set.of())).isNotEmpty();
    }
}
