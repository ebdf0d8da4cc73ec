package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.Seeds;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Light that no record names belongs to nobody: no tenant gets it, darkens it, or holds up others with it. */
class TenantLightPropertyTest {
    @Test
    void aNewJobOfItsShapeDoesNotGetForeignLight() {
        ToyRing ring = foreignLight(32, true);
        SortedMap<String, List<BundleState>> foreign = states(ring, unrecorded(ring));
        SliceId tenant = ring.wish("tenant", 2, 16);
        ring.settle();
        assertThat(ring.litNodes()).containsAll(foreign.keySet());
        assertThat(ring.ledger.get(tenant).allocation().orElseThrow().nodes())
                .doesNotContainAnyElementsOf(foreign.keySet());
        ring.unwish(tenant);
        ring.settle();
        assertThat(states(ring, new TreeSet<>(foreign.keySet()))).isEqualTo(foreign);
    }

    @Test
    void aPendingJobOfTheShapeOfForeignLightHoldsUpNobody() {
        ToyRing ring = foreignLight(32, false);
        ring.wish("attacker", 1, 16);
        SliceId honest = ring.wish("honest", 1, 16);
        assertThat(ring.settle().slices().get(honest).light().qualified()).isTrue();
    }

    @Test
    void whateverATenantDoesLightOfNobodyStaysAndOthersArePlaced() {
        for (long seed = 1; seed <= Seeds.of(200); seed++) {
            Random random = new Random(seed);
            ToyRing ring = foreignLight(32 + random.nextInt(16), random.nextBoolean());
            SortedMap<String, List<BundleState>> foreign = states(ring, unrecorded(ring));
            List<SliceId> tenants = new ArrayList<>();
            for (int act = 0; act < 12; act++) {
                String at = "seed " + seed + ", act " + act;
                if (random.nextInt(4) == 0) {
                    ring.wish("honest" + act, 1, 16);
                } else if (tenants.isEmpty() || random.nextBoolean()) {
                    tenants.add(ring.wish("tenant" + act, 1 + random.nextInt(3), 8 + 4 * random.nextInt(3)));
                } else {
                    SliceId tenant = tenants.get(random.nextInt(tenants.size()));
                    amend(ring, tenants, tenant, random);
                }
                for (int step = 0; step < 60; step++) {
                    Deliberation pass = ring.step();
                    pass.slices().forEach((slice, verdict) -> {
                        if (slice.name().startsWith("honest")
                                && verdict.placement() instanceof Placement.Unplaced unplaced) {
                            assertThat(unplaced.reason()).as(at).isNotEqualTo(Reason.AWAITING_ADOPTION);
                        }
                    });
                    assertThat(states(ring, new TreeSet<>(foreign.keySet())))
                            .as(at)
                            .isEqualTo(foreign);
                    SortedSet<String> recorded = new TreeSet<>();
                    ring.ledger
                            .values()
                            .forEach(entry ->
                                    entry.allocation().ifPresent(allocation -> recorded.addAll(allocation.nodes())));
                    assertThat(recorded).as(at).doesNotContainAnyElementsOf(foreign.keySet());
                    if (pass.decision() instanceof Decision.Rest) {
                        break;
                    }
                }
            }
        }
    }

    private static void amend(ToyRing ring, List<SliceId> tenants, SliceId tenant, Random random) {
        switch (random.nextInt(3)) {
            case 0 -> ring.unwish(tenant);
            case 1 -> {
                SortedMap<Integer, String> ranks = new TreeMap<>();
                SortedSet<String> occupied = new TreeSet<>();
                for (int pod = 0; pod < 4; pod++) {
                    String node = ring.names.get(random.nextInt(ring.names.size()));
                    occupied.add(node);
                    if (random.nextBoolean()) {
                        ranks.put(pod, node);
                    }
                }
                ring.amend(tenant, true, new Workload.Pods(occupied, false, ranks), false);
            }
            default -> {
                Optional<Allocation> recorded = ring.ledger.get(tenant).allocation();
                if (recorded.isEmpty()
                        || recorded.get().nodes().isEmpty()
                                && recorded.get().releasing().isEmpty()) {
                    ring.slices.remove(tenant);
                    ring.ledger.remove(tenant);
                    tenants.remove(tenant);
                }
            }
        }
    }

    /** A fabric after its first contact, on which groups of four nodes burn that no record names. */
    private static ToyRing foreignLight(int positions, boolean two) {
        ToyRing ring = ToyRing.of(positions, 3);
        SliceId keeps = ring.wish("keeps", 1, 8);
        SliceId gone = ring.wish("gone", two ? 2 : 1, 16);
        ring.settle();
        ring.handLit.addAll(ring.ledger.get(gone).allocation().orElseThrow().nodes());
        ring.slices.remove(gone);
        ring.ledger.remove(gone);
        ring.policy = Policies.afterFirstContact(ring.policy);
        assertThat(ring.ledger.get(keeps).allocation()).isPresent();
        return ring;
    }

    private static SortedSet<String> unrecorded(ToyRing ring) {
        SortedSet<String> nodes = new TreeSet<>(ring.litNodes());
        ring.ledger
                .values()
                .forEach(entry -> entry.allocation().ifPresent(allocation -> nodes.removeAll(allocation.nodes())));
        return nodes;
    }

    private static SortedMap<String, List<BundleState>> states(ToyRing ring, SortedSet<String> nodes) {
        SortedMap<String, List<BundleState>> states = new TreeMap<>();
        nodes.forEach(node -> states.put(node, List.of(ring.bundles.get(node))));
        return states;
    }
}
