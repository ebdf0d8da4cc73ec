package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.health.HealthPolicy;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.SliceId;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Circuits that lose more than at first: whether the port is to blame where light enters, or where it leaves. */
class OcsCircuitLossTest {
    private static final String ONE = "ocs-00";
    private static final Duration SETTLED = Duration.ofSeconds(20);
    private static final Duration HOLD = Duration.ofSeconds(6);
    private static final Duration HEALTH = Duration.ofSeconds(40);

    private final ToyOcs ocs = ToyOcs.logical(4, 1, 1, DeviceKind.TWO_SIDED, 12);
    private final SliceId job;
    private final Circuit victim;

    OcsCircuitLossTest() {
        ocs.measuringLoss = true;
        ocs.policy = Policies.watching(ocs.policy, HealthPolicy.standard().with(HealthPolicy.Mode.TAKE_OUT));
        job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settleAfter(SETTLED);
        ocs.now = ocs.now.plus(SETTLED);
        ocs.settle();
        victim = new TreeSet<>(ocs.light().on(ONE))
                .stream()
                        .filter(circuit -> isFree(circuit.ingress(), OcsSwitch.Wire::ingress, Circuit::ingress)
                                && isFree(circuit.egress(), OcsSwitch.Wire::egress, Circuit::egress))
                        .findFirst()
                        .orElseThrow();
    }

    /** Whether the pod of a port has another port on this side. */
    private boolean isFree(String port, Function<OcsSwitch.Wire, String> side, Function<Circuit, String> end) {
        List<OcsSwitch.Wire> wires = ocs.switches.get(ONE).wiring();
        String pod = wires.stream()
                .filter(wire -> side.apply(wire).equals(port))
                .findFirst()
                .orElseThrow()
                .pod();
        return wires.stream()
                .filter(wire -> wire.pod().equals(pod))
                .map(side)
                .anyMatch(other -> ocs.light().on(ONE).stream().map(end).noneMatch(other::equals));
    }

    private Deliberation later(Duration time) {
        Deliberation rest = ocs.settle();
        for (int second = 0; second < time.toSeconds(); second++) {
            ocs.now = ocs.now.plusSeconds(1);
            rest = ocs.settle();
        }
        return rest;
    }

    private static List<String> faults(Deliberation rest) {
        return rest.fabrics().get("spine").faults().stream()
                .map(OcsCircuitLossTest::told)
                .toList();
    }

    private static String told(Fault fault) {
        return ((Subject.OfPort) fault.subject()).port()
                + (fault.quarantined() ? " for good" : "")
                + (fault.remark().isEmpty() ? "" : ": " + fault.remark());
    }

    private boolean uses(String port) {
        return ocs.light().on(ONE).stream()
                .anyMatch(circuit ->
                        circuit.ingress().equals(port) || circuit.egress().equals(port));
    }

    @Test
    void anIngressThatIsMeasuredAndWeakIsToBlameAndNoEgress() {
        ocs.measuring = true;
        later(SETTLED);
        ocs.heard = (world, pass) ->
                assertThat(faults(pass)).isSubsetOf(victim.ingress() + ": the light that enters gets weaker");
        ocs.dirt.put(ONE + "/" + victim.ingress(), 2.5);
        assertThat(faults(later(HOLD))).hasSize(1);
        assertThat(uses(victim.ingress())).isFalse();
    }

    @Test
    void whereNothingElseTellsTheEgressLeavesAndTheIngressIsNamed() {
        ocs.dirt.put(ONE + "/" + victim.ingress(), 2.5);
        boolean[] named = {false};
        ocs.heard = (world, pass) -> named[0] |= faults(pass)
                .contains(
                        victim.egress() + ": or port " + victim.ingress() + ", where the light of its circuit enters");
        Deliberation rest = later(HOLD);
        assertThat(named[0]).isTrue();
        assertThat(uses(victim.egress())).isFalse();
        assertThat(rest.slices().get(job).placement()).isInstanceOf(Placement.Placed.class);
    }

    @Test
    void aLossThatComesAlongWithTheIngressIsItsOwnAndTheEgressIsFreeAgain() {
        ocs.dirt.put(ONE + "/" + victim.ingress(), 2.5);
        boolean[] told = {false};
        ocs.heard = (world, pass) -> told[0] |= pass.fabrics().get("spine").optical().degrading().stream()
                .anyMatch(port -> port.port().equals(new Subject.OfPort(ONE, victim.ingress()))
                        && port.finding().measured().equals("loses 2.5 dB wherever the light leaves that enters here"));
        later(HOLD);
        Deliberation rest = later(HEALTH);
        assertThat(told[0]).isTrue();
        assertThat(faults(rest)).containsExactly(victim.ingress() + " for good");
        assertThat(uses(victim.ingress())).isFalse();
        assertThat(rest.slices().get(job).placement()).isInstanceOf(Placement.Placed.class);
    }

    @Test
    void aLossThatStaysBehindIsThatOfTheEgress() {
        ocs.dirt.put(ONE + "/" + victim.egress(), 2.5);
        later(HOLD);
        assertThat(faults(later(HEALTH))).containsExactly(victim.egress() + " for good");
        assertThat(uses(victim.ingress())).as("it has another egress").isTrue();
    }

    /** There is no factory table here: the next circuit may lose more than the first by itself. */
    @Test
    void aCircuitThatIsUnlikeByItselfProvesNothing() {
        for (OcsSwitch.Wire wire : ocs.switches.get(ONE).wiring()) {
            if (!uses(wire.egress())) {
                ocs.dirt.put(ONE + "/" + wire.egress(), 1.4);
            }
        }
        ocs.dirt.put(ONE + "/" + victim.egress(), 2.5);
        later(HOLD);
        assertThat(faults(later(HEALTH)))
                .containsExactly(
                        victim.egress() + ": or port " + victim.ingress() + ", where the light of its circuit enters");
        assertThat(uses(victim.ingress())).as("it has another egress").isTrue();
    }

    /** What was measured before a restart is not known after it. */
    @Test
    void whatAnEarlierProcessDidNotFindOutStaysOpen() {
        ocs.dirt.put(ONE + "/" + victim.ingress(), 2.5);
        ocs.heard = (world, pass) -> {
            if (!faults(pass).isEmpty()) {
                ocs.paused = true;
            }
        };
        later(HOLD);
        ocs.restart();
        ocs.heard = (world, pass) -> {};
        assertThat(faults(later(HEALTH))).singleElement().asString().startsWith(victim.egress() + " for good");
    }
}
