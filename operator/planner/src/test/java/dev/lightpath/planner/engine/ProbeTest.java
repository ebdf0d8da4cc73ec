package dev.lightpath.planner.engine;

import static dev.lightpath.planner.engine.DiscoveryTest.NOTHING;
import static dev.lightpath.planner.engine.DiscoveryTest.ONE;
import static dev.lightpath.planner.engine.DiscoveryTest.discovered;
import static dev.lightpath.planner.engine.DiscoveryTest.stepUntil;
import static dev.lightpath.planner.engine.DiscoveryTest.unknown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.discovery.SwitchDiscovery;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.Stage.Cause;
import dev.lightpath.planner.stripe.DeviceKind;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A probing circuit from when it is proposed to when it is dark. */
class ProbeTest {
    /** Robots take minutes, and many passes look on. */
    @Test
    void aProbeWhoseElementsMoveIsNotMadeAgain() {
        ToyOcs ocs = unknown(DeviceKind.TWO_SIDED);
        ocs.discover.put(ONE, "now");
        SortedSet<Circuit> before = new TreeSet<>();
        for (int step = 0; step < 500; step++) {
            ocs.step();
            ocs.now = ocs.now.plus(Duration.ofSeconds(1));
            SortedSet<String> moving = new TreeSet<>();
            ocs.lit.get(ONE).stream()
                    .filter(circuit -> !before.contains(circuit))
                    .forEach(circuit -> moving.addAll(List.of(circuit.ingress(), circuit.egress())));
            ocs.moving.put(ONE, moving);
            before.clear();
            before.addAll(ocs.lit.get(ONE));
        }
        SwitchDiscovery found = ocs.fibres.get(ONE);
        assertThat(found.over()).isTrue();
        assertThat(found.circuits()).as("a circuit tells two ends").isEqualTo(8);
        assertThat(ocs.lit.get(ONE)).as("nothing is left lit").isEmpty();
    }

    @Test
    void saysThatAProbeIsStillBeingMade() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 2, DeviceKind.TWO_SIDED, 2);
        String other = ocs.switches.lastKey();
        ocs.discover.put(ONE, "now");
        ocs.discover.put(other, "now");
        stepUntil(ocs, () -> !ocs.lit.get(ONE).isEmpty());
        Circuit probe = ocs.lit.get(ONE).first();
        ocs.moving.put(ONE, new TreeSet<>(List.of(probe.ingress(), probe.egress())));
        ocs.step();
        String why = "the probing circuit " + probe + " of switch " + ONE + " is still being made";
        assertThat(ocs.fibres.get(ONE).waitsFor()).contains(why);
        assertThat(ocs.fibres.get(other).waitsFor()).contains(why);
        ocs.step();
        assertThat(ocs.fibres.get(ONE).waitsFor()).contains(why);
        ocs.moving.clear();
        ocs.step();
        assertThat(ocs.fibres.get(ONE).waitsFor()).isEmpty();
        assertThat(ocs.fibres.get(other).waitsFor()).isEmpty();
    }

    /** A later process knows whose light it is. */
    @Test
    void aProbeIsWrittenBeforeItIsMadeAndTakenDownAfterARestart() {
        ToyOcs ocs = unknown(DeviceKind.TWO_SIDED);
        ocs.discover.put(ONE, "now");
        ocs.step();
        assertThat(ocs.fibres.get(ONE).probes()).hasSize(1);
        assertThat(ocs.lit.get(ONE)).isEmpty();
        ocs.step();
        assertThat(ocs.lit.get(ONE)).isEqualTo(ocs.fibres.get(ONE).probes());
        ocs.restart();
        Circuit left = ocs.lit.get(ONE).first();
        ocs.step();
        assertThat(ocs.lit.get(ONE)).doesNotContain(left);
        assertThat(discovered(ocs).found()).hasSize(16);
        assertThat(ocs.lit.get(ONE)).isEmpty();
    }

    /** A robot plugs a fibre for minutes, and goes on when the process that asked for it has ended. */
    @Test
    void aProbeThatIsUnderWayWhenItsProcessEndsIsTakenDownOnceItIsLit() {
        ToyOcs ocs = unknown(DeviceKind.TWO_SIDED);
        ocs.slow = true;
        ocs.discover.put(ONE, "now");
        stepUntil(ocs, () -> {
            assertThat(ocs.lit.get(ONE)).isEmpty();
            return ocs.decisions.stream().anyMatch(Decision.Apply.class::isInstance);
        });
        Set<Circuit> probes = ocs.fibres.get(ONE).probes();
        ocs.restartWithChangesUnderWay();
        ocs.discover.clear();
        boolean[] lit = {false};
        ocs.watch = () -> lit[0] |= ocs.lit.get(ONE).containsAll(probes);
        for (int step = 0; step < 9; step++) {
            ocs.step();
        }
        assertThat(lit[0]).as("it comes up later").isTrue();
        assertThat(ocs.lit.get(ONE)).as("nothing is left lit").isEmpty();
        assertThat(ocs.fibres.get(ONE).probes()).isEmpty();
    }

    @Test
    void isNeitherForeignNorAFault() {
        ToyOcs ocs = unknown(DeviceKind.TWO_SIDED);
        ocs.discover.put(ONE, "now");
        ocs.step();
        ocs.step();
        assertThat(ocs.lit.get(ONE)).hasSize(1);
        var fabric = ocs.step().fabrics().get("spine");
        assertThat(fabric.foreign()).isEmpty();
        assertThat(fabric.faults()).isEmpty();
    }

    @Test
    void aPausedFabricAndADrainedSwitchAreNotProbed() {
        ToyOcs ocs = unknown(DeviceKind.TWO_SIDED);
        ocs.paused = true;
        ocs.discover.put(ONE, "now");
        ocs.settle();
        assertThat(ocs.fibres.get(ONE).waitsFor().orElseThrow()).startsWith("the fabric is paused");
        ocs.paused = false;
        ocs.described.clear();
        ocs.wiring.drain(ONE);
        ocs.settle();
        assertThat(ocs.fibres.get(ONE).waitsFor()).contains("it is drained");
        assertThat(ocs.lit.get(ONE)).isEmpty();
    }

    @Test
    void aSwitchThatCannotBeProbedSaysWhichOfItsDevice() {
        ToyOcs ocs = unknown(DeviceKind.TWO_SIDED);
        ocs.silent.add(ONE);
        ocs.discover.put(ONE, "now");
        ocs.settle();
        assertThat(ocs.fibres.get(ONE).waitsFor())
                .contains("device device-0 does not answer its driver, whose log says why");
        ocs.silences.put(ONE, "the certificate has expired");
        ocs.settle();
        assertThat(ocs.fibres.get(ONE).waitsFor())
                .contains("device device-0 does not answer its driver: the certificate has expired");
        ocs.silent.clear();
        ocs.foreign.add(ONE);
        ocs.settle();
        assertThat(ocs.fibres.get(ONE).waitsFor())
                .contains("another role holds device device-0 (kubectl lightpath driver transfer)");
    }

    /** Nothing else would wake the loop for it. */
    @Test
    void theNextProbeIsProposedByThePassThatSeesTheLastOneDark() {
        ToyOcs ocs = unknown(DeviceKind.TWO_SIDED);
        ocs.discover.put(ONE, "now");
        int ended = 0;
        for (int step = 0; step < 100 && !ocs.fibres.getOrDefault(ONE, NOTHING).over(); step++) {
            Set<Circuit> before = Set.copyOf(ocs.lit.get(ONE));
            boolean released = ocs.step().decision() instanceof Decision.Apply apply
                    && apply.stage().cause() == Cause.RELEASE;
            if (released) {
                ocs.step();
                ended++;
                SwitchDiscovery now = ocs.fibres.get(ONE);
                assertThat(now.over() || now.probes().size() == 1 && Collections.disjoint(now.probes(), before))
                        .as(now.toString())
                        .isTrue();
            }
        }
        assertThat(ended).isEqualTo(8);
    }

    /** What would be decided is decided without probes: nothing is written there that they could wait for. */
    @Test
    void aSimulationMakesNoProbe() {
        ToyOcs ocs = unknown(DeviceKind.TWO_SIDED);
        ocs.discover.put(ONE, "now");
        ocs.step();
        ocs.step();
        assertThat(ocs.lit.get(ONE)).hasSize(1);
        var going = ocs.world().ocsFabrics().get("spine").goingOn(ocs.policy);
        assertThat(going.discovery().get(ONE).request()).isEmpty();
        assertThat(going.discovery().get(ONE).recorded().orElseThrow().probes()).isEqualTo(ocs.lit.get(ONE));
    }

    @Test
    void stopsWhereAskedAndLeavesNothingLit() {
        ToyOcs ocs = unknown(DeviceKind.TWO_SIDED);
        ocs.discover.put(ONE, "now");
        for (int step = 0; step < 9; step++) {
            ocs.step();
        }
        ocs.discover.clear();
        for (int step = 0; step < 9; step++) {
            ocs.step();
        }
        SwitchDiscovery found = ocs.fibres.get(ONE);
        assertThat(found.over()).isTrue();
        assertThat(found.found()).isNotEmpty().hasSizeLessThan(16);
        assertThat(ocs.lit.get(ONE)).isEmpty();
        assertThat(found.probes()).isEmpty();
    }

    /** Somebody's circuit the other way through the ports of a probe is no probe. */
    @Test
    void aTurnedCircuitOfATwoSidedSwitchIsForeign() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 1, DeviceKind.TWO_SIDED, 2);
        ocs.discover.put(ONE, "now");
        ocs.step();
        ocs.step();
        Circuit probe = ocs.lit.get(ONE).first();
        Circuit turned = new Circuit(probe.egress(), probe.ingress());
        ocs.lit.get(ONE).add(turned);
        assertThat(ocs.step().fabrics().get("spine").foreign()).containsExactly(ONE + "/" + turned);
        assertThat(ocs.lit.get(ONE)).contains(turned);
    }

    @Test
    void saysWhatFreezesTheFabric() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 1, DeviceKind.TWO_SIDED, 2);
        ocs.lit.get(ONE).add(new Circuit("1", "1005"));
        ocs.discover.put(ONE, "now");
        ocs.settle();
        assertThat(ocs.fibres.get(ONE).waitsFor().orElseThrow()).contains("adopt");
        assertThat(ocs.fibres.get(ONE).circuits()).isZero();
        ocs.lit.get(ONE).clear();
        discovered(ocs);
        assertThat(ocs.fibres.get(ONE).waitsFor()).isEmpty();
    }

    @Test
    void saysWhichProbeOfAnotherSwitchIsWaitedFor() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 2, DeviceKind.TWO_SIDED, 2);
        String other = ocs.switches.lastKey();
        ocs.discover.put(other, "now");
        ocs.step();
        ocs.step();
        assertThat(ocs.lit.get(other)).hasSize(1);
        ocs.silent.add(other);
        ocs.restart();
        ocs.discover.put(ONE, "now");
        ocs.step();
        ocs.step();
        assertThat(ocs.fibres.get(ONE).waitsFor().orElseThrow())
                .contains("of switch " + other + " was not read back dark");
    }
}
