package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.Workload;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * A job that is suspended and, before what it gave up is read back dark, resumed: what it waits for is its own light.
 */
class WantedAgainTest {

    @Test
    void onARingOfWhichItTookAllNodes() {
        ToyRing ring = ToyRing.of(16, 2);
        SliceId job = ring.wish("job", 4, 16);
        assertThat(ring.settle().slices().get(job).light().qualified()).isTrue();
        Map<SliceId, SliceIntent> wishes = Map.copyOf(ring.slices);
        ring.unwish(job);
        ring.step();
        assertThat(ring.ledger.get(job).allocation().orElseThrow().releasing()).hasSize(16);
        ring.slices.putAll(wishes);
        Deliberation rest = ring.settle();
        assertLit(rest, job);
        assertThat(ring.ledger.get(job).allocation().orElseThrow().releasing()).isEmpty();
    }

    @Test
    void whoWaitsIsToldOfLightThatOthersLeft() {
        ToyRing ring = ToyRing.of(16, 2);
        SliceId job = ring.wish("job", 4, 16);
        ring.settle();
        ring.unwish(job);
        ring.step();
        SliceId next = ring.wish("next", 1, 16);
        assertThat(ring.step().slices().get(next).placement())
                .isInstanceOfSatisfying(
                        Placement.Unplaced.class,
                        unplaced -> assertThat(unplaced.message())
                                .contains("16 left and not read back dark yet, 0 allocated to jobs; 0 are free"));
        assertThat(ring.settle().slices().get(next).placement()).isInstanceOf(Placement.Placed.class);
    }

    @Test
    void onSwitchesOfWhichItTookAllPorts() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 4, DeviceKind.TWO_SIDED, 1);
        isLitAgain(ocs, ocs.wishTraffic("gpt", OcsTrafficTest.gpt7b(2)));
    }

    @Test
    void inTheOnlyCubesThereAre() {
        ToyOcs ocs = ToyOcs.torus("2x2x1", 4, 2);
        isLitAgain(ocs, ocs.wishTorus("job", "8x8x4", true, new Workload.LightOnly()));
    }

    private static void isLitAgain(ToyOcs ocs, SliceId job) {
        assertThat(ocs.settle().slices().get(job).light().qualified()).isTrue();
        int lit = ocs.recorded(job).size();
        suspendAndResume(ocs, Map.copyOf(ocs.slices), job);
        assertThat(darkening(ocs, job)).isTrue();
        Deliberation rest = ocs.settle();
        assertLit(rest, job);
        assertThat(ocs.recorded(job).size()).isEqualTo(lit);
        assertThat(darkening(ocs, job)).isFalse();
    }

    private static void suspendAndResume(ToyOcs ocs, Map<SliceId, SliceIntent> wishes, SliceId job) {
        ocs.unwish(job);
        ocs.step();
        ocs.slices.putAll(wishes);
    }

    private static void assertLit(Deliberation rest, SliceId job) {
        assertThat(rest.slices().get(job).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
    }

    private static boolean darkening(ToyOcs ocs, SliceId job) {
        return !ocs.ledger.get(job).allocation().orElseThrow().darkening().isEmpty();
    }

    @Test
    void inTheOnlyPodsWhoseNodesAreFree() {
        RingInPods both = new RingInPods();
        both.wish("llm", 2);
        both.ocs.settle();
        SliceId ring = RingInPods.onRing("llm");
        SliceId spine = RingInPods.onSwitches("llm");
        both.ring.wish("filler", 4, 16);
        both.ocs.settle();
        Map<SliceId, SliceIntent> onRing = Map.copyOf(both.ring.slices);
        both.ring.unwish(ring);
        suspendAndResume(both.ocs, Map.copyOf(both.ocs.slices), spine);
        both.ring.slices.putAll(onRing);
        assertThat(both.ring.ledger.get(ring).allocation().orElseThrow().releasing())
                .hasSize(2 * RingInPods.NODES_PER_POD);
        Deliberation rest = both.ocs.settle();
        assertLit(rest, spine);
        assertLit(rest, ring);
    }
}
