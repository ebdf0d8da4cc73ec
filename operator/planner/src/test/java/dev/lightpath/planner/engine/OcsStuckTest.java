package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Circuits that are to go dark and whose elements do not move. */
class OcsStuckTest {
    /** Eight pods with a port on each of four switches: room for two jobs of four pods. */
    private final ToyOcs ocs = ToyOcs.logical(8, 1, 4, DeviceKind.TWO_SIDED, 1);

    private final SliceId first = ocs.wishTraffic("first", ToyOcs.twoByTwo());
    private String name = "";
    private Circuit circuit = new Circuit("", "-");

    /** The first job leaves a circuit on a switch, because one end of it fails, and the other end does not move. */
    private void leaveACircuit(Set<String> elements) {
        ocs.settle();
        name = ocs.recorded(first).circuits().firstKey();
        circuit = ocs.recorded(first).on(name).iterator().next();
        elements.add(name + "/" + circuit.ingress());
        ocs.fail(name, circuit.egress());
        ocs.settleAfter(ToyOcs.SETBACK);
        assertThat(ocs.recorded(first).on(name)).doesNotContain(circuit);
        assertThat(ocs.lit.get(name)).contains(circuit);
        assertThat(ocs.ledger.get(first).allocation().orElseThrow().darkening().on(name))
                .contains(circuit);
    }

    private Set<Circuit> of(SliceId job) {
        return ocs.recorded(job).on(name).stream().collect(Collectors.toSet());
    }

    @Test
    void othersOnItsSwitchGoDarkMeanwhile() {
        SliceId other = ocs.wishTraffic("other", ToyOcs.twoByTwo());
        leaveACircuit(ocs.stuck);
        Set<Circuit> light = of(other);
        assertThat(light).isNotEmpty();
        ocs.unwish(other);
        assertThat(ocs.settleAfter(ToyOcs.SETBACK).slices().get(other).placement())
                .isInstanceOf(Placement.Released.class);
        assertThat(ocs.lit.get(name)).doesNotContainAnyElementsOf(light).contains(circuit);
    }

    @Test
    void othersAreLitOnItsSwitchMeanwhile() {
        leaveACircuit(ocs.stuck);
        SliceId other = ocs.wishTraffic("other", ToyOcs.twoByTwo());
        Deliberation rest = ocs.settleAfter(ToyOcs.SETBACK);
        assertThat(of(other)).isNotEmpty();
        assertThat(rest.slices().get(other).light().programmed()).isTrue();
    }

    @Test
    void itGoesDarkOnceItsElementMoves() {
        leaveACircuit(ocs.stuck);
        ocs.mend();
        ocs.settleAfter(ToyOcs.SETBACK);
        assertThat(ocs.lit.get(name)).doesNotContain(circuit);
        assertThat(ocs.ledger.get(first).allocation().orElseThrow().darkening().isEmpty())
                .isTrue();
    }

    /** No alarm tells of it: it is asked again and again, and others on the switch in the same breath. */
    @Test
    void othersGoDarkThoughItIsAskedAgain() {
        SliceId other = ocs.wishTraffic("other", ToyOcs.twoByTwo());
        leaveACircuit(ocs.deaf);
        ocs.unwish(other);
        ocs.settleAfter(ToyOcs.SETBACK);
        assertThat(ocs.settleAfter(ToyOcs.SETBACK).slices().get(other).placement())
                .isInstanceOf(Placement.Released.class);
        assertThat(ocs.lit.get(name)).contains(circuit);
    }

    /** So the job may be placed anew meanwhile. */
    @Test
    void nobodyWaitsForIt() {
        ocs.settle();
        name = ocs.recorded(first).circuits().firstKey();
        circuit = ocs.recorded(first).on(name).iterator().next();
        ocs.deaf.add(name + "/" + circuit.egress());
        ocs.unwish(first);
        assertThat(ocs.settle().slices().get(first).placement())
                .isInstanceOfSatisfying(Placement.Releasing.class, releasing -> {
                    assertThat(releasing.remaining()).isEqualTo(1);
                    assertThat(releasing.onlySilent()).isFalse();
                });
        ocs.stuck.add(name + "/" + circuit.egress());
        assertThat(ocs.settleAfter(ToyOcs.SETBACK).slices().get(first).placement())
                .isInstanceOfSatisfying(Placement.Releasing.class, releasing -> {
                    assertThat(releasing.remaining()).isEqualTo(1);
                    assertThat(releasing.onlySilent()).isTrue();
                });
        ocs.mend();
        assertThat(ocs.settleAfter(ToyOcs.SETBACK).slices().get(first).placement())
                .isInstanceOf(Placement.Released.class);
    }

    /** Two cubes that a job left are joined on one switch still: neither has all of its ports. */
    @Test
    void nobodyIsPlacedOnItsOtherEnd() {
        ToyOcs torus = ToyOcs.torus("1x1x1", 4, 1);
        SliceId left = torus.wishTorus("left", "4x4x8", true, new Workload.LightOnly());
        torus.settle();
        Circuit stays = torus.recorded(left).on("ocs-17").iterator().next();
        assertThat(stays).isEqualTo(new Circuit("1", "1002"));
        torus.stuck.add("ocs-17/1");
        torus.unwish(left);
        torus.settleAfter(ToyOcs.SETBACK);
        SliceId next = torus.wishTorus("next", "4x4x8", true, new Workload.LightOnly());
        Deliberation rest = torus.settleAfter(ToyOcs.SETBACK);
        assertThat(torus.lit.get("ocs-17")).contains(stays);
        assertThat(torus.cubes(next)).containsExactly("pod-02", "pod-03");
        assertThat(rest.slices().get(next).light().programmed()).isTrue();
        torus.mend();
        torus.settleAfter(ToyOcs.SETBACK);
        assertThat(torus.light()).isEqualTo(torus.recorded(next));
    }
}
