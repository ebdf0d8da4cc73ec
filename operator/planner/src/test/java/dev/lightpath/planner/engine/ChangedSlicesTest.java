package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.light.Stage.Cause;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.SliceId;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A change of light says whose light it changes. */
class ChangedSlicesTest {
    private static SortedSet<SliceId> changed(List<Decision> decisions, Cause cause) {
        SortedSet<SliceId> slices = new TreeSet<>();
        decisions.forEach(decision -> {
            if (decision instanceof Decision.Apply apply && apply.stage().cause() == cause) {
                slices.addAll(apply.slices());
            }
        });
        return slices;
    }

    @Test
    void onARing() {
        ToyRing ring = ToyRing.of(16, 3);
        SliceId a = ring.wish("a", 1, 16);
        SliceId b = ring.wish("b", 1, 16);
        ring.settle();
        assertThat(changed(ring.decisions, Cause.PLACE)).containsExactly(a, b);

        ring.decisions.clear();
        ring.notReady.add(ring.groups(b).getFirst().get(2));
        ring.settle();
        assertThat(changed(ring.decisions, Cause.REPAIR)).containsExactly(b);
        assertThat(changed(ring.decisions, Cause.RELEASE))
                .as("the node that it left")
                .containsExactly(b);

        ring.decisions.clear();
        ring.unwish(a);
        ring.settle();
        assertThat(changed(ring.decisions, Cause.RELEASE)).containsExactly(a);
    }

    @Test
    void ofNobodyWhereNoRecordExplainsTheLight() {
        ToyRing ring = ToyRing.of(16, 3);
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        ring.decisions.clear();
        String free = ring.bundles.keySet().stream()
                .filter(node -> !ring.groups(a).getFirst().contains(node))
                .findFirst()
                .orElseThrow();
        ring.bundles.get(free)[0] = BundleState.PATH_1;
        ring.policy = Policies.foreign(
                Policies.afterFirstContact(ring.policy), FabricPolicy.ForeignCircuits.REMOVE, Optional.empty());
        ring.settle();
        assertThat(ring.decisions).anyMatch(Decision.Apply.class::isInstance);
        assertThat(changed(ring.decisions, Cause.CORRECT)).isEmpty();
    }

    @Test
    void onSwitches() {
        ToyOcs ocs = ToyOcs.logical(8, 1, 4, DeviceKind.TWO_SIDED, 4);
        SliceId a = ocs.wishTraffic("a", ToyOcs.twoByTwo());
        ocs.settle();
        assertThat(changed(ocs.decisions, Cause.PLACE)).containsExactly(a);

        ocs.decisions.clear();
        ocs.unwish(a);
        ocs.settle();
        assertThat(changed(ocs.decisions, Cause.RELEASE)).containsExactly(a);
    }
}
