package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.light.RoutedRevision;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.SliceId;
import org.junit.jupiter.api.Test;

/** What a router says is told of slices with a place, where the fabric asks for it. It decides nothing about light. */
class RoutesTest {
    private static final RoutedRevision FIRST = new RoutedRevision.Acknowledged(1);

    @Test
    void aFabricThatDoesNotAskTellsNothing() {
        ToyRing ring = ToyRing.of(16, 2);
        SliceId job = ring.wish("job", 1, 16);
        says(ring, job, FIRST);
        assertThat(of(ring.settle(), job).routed()).isEmpty();
    }

    @Test
    void onARingItIsToldOfWhoHasAPlace() {
        ToyRing ring = ToyRing.of(16, 2);
        ring.policy = Policies.awaitingRoutes(ring.policy);
        SliceId job = ring.wish("job", 1, 16);
        assertThat(of(ring.step(), job).routed()).isEmpty();
        assertThat(of(ring.settle(), job).routed()).contains(RoutedRevision.NONE);
        says(ring, job, FIRST);
        Deliberation rest = ring.settle();
        assertThat(of(rest, job).routed()).contains(FIRST);
        assertThat(rest.decision()).isInstanceOf(Decision.Rest.class);
        ring.unwish(job);
        assertThat(of(ring.settle(), job).routed()).isEmpty();
    }

    @Test
    void onSwitchesTheSame() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 4, DeviceKind.TWO_SIDED, 1);
        ocs.policy = Policies.awaitingRoutes(ocs.policy);
        SliceId job = ocs.wishTraffic("gpt", OcsTrafficTest.gpt7b(2));
        assertThat(of(ocs.settle(), job).routed()).contains(RoutedRevision.NONE);
        assertThat(of(ocs.settle(), job).light().qualified()).isTrue();
    }

    @Test
    void onlyTheVeryRevisionCounts() {
        assertThat(new RoutedRevision.Acknowledged(3).follows(3)).isTrue();
        assertThat(new RoutedRevision.Acknowledged(2).follows(3)).isFalse();
        assertThat(new RoutedRevision.Acknowledged(4).follows(3)).isFalse();
        assertThat(new RoutedRevision.Unreadable("3").follows(3)).isFalse();
        assertThat(RoutedRevision.NONE.follows(3)).isFalse();
    }

    private static void says(ToyRing ring, SliceId job, RoutedRevision said) {
        ring.slices.computeIfPresent(job, (id, slice) -> slice.routed(said));
    }

    private static SliceVerdict of(Deliberation deliberation, SliceId slice) {
        return deliberation.slices().get(slice);
    }
}
