package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.Seeds;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.stripe.DeviceKind;
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

/** Light on optical switches that no record names belongs to nobody, as on rings ({@link TenantLightPropertyTest}). */
class TenantSwitchLightPropertyTest {
    private static final Workload LIGHT_ONLY = new Workload.LightOnly();

    @Test
    void aNewJobOfItsShapeDoesNotGetForeignLight() {
        ToyOcs ocs = foreignLight(DeviceKind.TWO_SIDED, false);
        SwitchedLight foreign = unrecorded(ocs);
        SliceId tenant = ocs.wishTraffic("tenant", ToyOcs.twoByTwo());
        assertThat(ocs.settle().slices().get(tenant).light().qualified()).isTrue();
        assertNotShared(foreign, ocs.recorded(tenant), "the tenant's");
        ocs.unwish(tenant);
        ocs.settle();
        assertThat(foreign.minus(ocs.light()).isEmpty()).isTrue();
    }

    @Test
    void whateverATenantDoesLightOfNobodyStaysAndNobodyWaitsForIt() {
        int placed = 0;
        for (long seed = 1; seed <= Seeds.of(40); seed++) {
            Random random = new Random(seed);
            ToyOcs ocs = foreignLight(
                    random.nextBoolean() ? DeviceKind.TWO_SIDED : DeviceKind.ANY_TO_ANY, random.nextBoolean());
            SwitchedLight foreign = unrecorded(ocs);
            List<SliceId> tenants = new ArrayList<>();
            for (int act = 0; act < 8; act++) {
                String at = "seed " + seed + ", act " + act;
                if (random.nextInt(4) == 0) {
                    ocs.wishTraffic("honest" + act, ToyOcs.twoByTwo());
                } else if (tenants.isEmpty() || random.nextBoolean()) {
                    tenants.add(
                            random.nextBoolean()
                                    ? ocs.wishTraffic("tenant" + act, ToyOcs.twoByTwo())
                                    : ocs.wishTorus("tenant" + act, "4x4x4", true, LIGHT_ONLY));
                } else {
                    amend(ocs, tenants, tenants.get(random.nextInt(tenants.size())), random);
                }
                for (int step = 0; step < 60; step++) {
                    Deliberation pass = ocs.step();
                    pass.slices().forEach((slice, verdict) -> {
                        if (slice.name().startsWith("honest")
                                && verdict.placement() instanceof Placement.Unplaced unplaced) {
                            assertThat(unplaced.reason()).as(at).isNotEqualTo(Reason.AWAITING_ADOPTION);
                        }
                    });
                    assertThat(foreign.minus(ocs.light())).as(at).matches(SwitchedLight::isEmpty, "nothing went dark");
                    for (SliceId slice : ocs.ledger.keySet()) {
                        Optional<Allocation> record = ocs.ledger.get(slice).allocation();
                        record.ifPresent(of -> assertNotShared(foreign, of.circuits(), at + ", " + slice));
                        placed += record.isPresent() ? 1 : 0;
                    }
                    if (pass.decision() instanceof Decision.Rest) {
                        break;
                    }
                }
            }
        }
        assertThat(placed).as("records that were looked at").isPositive();
    }

    private static void amend(ToyOcs ocs, List<SliceId> tenants, SliceId tenant, Random random) {
        if (random.nextBoolean()) {
            ocs.unwish(tenant);
            return;
        }
        Optional<Allocation> recorded = ocs.ledger.get(tenant).allocation();
        if (recorded.isEmpty()
                || recorded.get().circuits().isEmpty()
                        && recorded.get().releasing().isEmpty()) {
            ocs.forget(tenant);
            tenants.remove(tenant);
        }
    }

    /** A fabric after its first contact, on which the light of a job of four pods burns that no record names. */
    private static ToyOcs foreignLight(DeviceKind kind, boolean recorded) {
        ToyOcs ocs = ToyOcs.logical(8, 1, 4, kind, 4);
        if (recorded) {
            ocs.wishTraffic("keeps", ToyOcs.twoByTwo());
            ocs.settle();
        }
        SliceId gone = ocs.wishTraffic("gone", ToyOcs.twoByTwo());
        ocs.settle();
        assertThat(ocs.recorded(gone).isEmpty()).isFalse();
        ocs.forget(gone);
        ocs.policy = Policies.afterFirstContact(ocs.policy);
        return ocs;
    }

    private static SwitchedLight unrecorded(ToyOcs ocs) {
        SwitchedLight light = ocs.light();
        for (SliceId slice : ocs.ledger.keySet()) {
            light = light.minus(ocs.recorded(slice));
        }
        assertThat(light.isEmpty()).isFalse();
        return light;
    }

    private static void assertNotShared(SwitchedLight foreign, SwitchedLight of, String whose) {
        SortedMap<String, SortedSet<Circuit>> both = new TreeMap<>();
        of.forEach((name, circuit) ->
                both.computeIfAbsent(name, any -> new TreeSet<>()).add(circuit));
        foreign.forEach((name, circuit) ->
                assertThat(both.getOrDefault(name, new TreeSet<>())).as(whose).doesNotContain(circuit));
    }
}
