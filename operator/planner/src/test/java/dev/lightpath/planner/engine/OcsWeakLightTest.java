package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.DegradingPort;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.stripe.DeviceKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ports of switches where light gets weak, and whether they are the ones to be cleaned. */
class OcsWeakLightTest {
    private static final Duration HOLD = Duration.ofSeconds(2);
    private static final Duration HEALTH = Duration.ofSeconds(40);

    private static ToyOcs fabricWithAJob(boolean measuring) {
        return fabricWithAJob(DeviceKind.TWO_SIDED, measuring);
    }

    private static ToyOcs fabricWithAJob(DeviceKind kind, boolean measuring) {
        ToyOcs ocs = ToyOcs.logical(4, 1, 8, kind, 2);
        ocs.hinted = true;
        ocs.measuring = measuring;
        ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        return ocs;
    }

    private static List<Fault> faults(Deliberation rest) {
        return rest.fabrics().get("spine").faults();
    }

    /** The far end of an egress says that what it receives is weak. */
    private static void weaken(ToyOcs ocs, Circuit circuit) {
        int at = Integer.parseInt(circuit.egress()) - 1001;
        ocs.failedFarPorts.put(ToyOcs.pod(at / 2), new TreeMap<>(Map.of("ocs-03/" + at % 2, "LowPower")));
    }

    @Test
    void aSwitchThatLostItsCircuitsWasNotLeft() {
        ToyOcs ocs = fabricWithAJob(true);
        ocs.paused = true;
        weaken(ocs, ocs.lit.get("ocs-03").first());
        assertThat(faults(ocs.settleAfter(HOLD))).hasSize(1);
        ocs.failedFarPorts.clear();
        ocs.lit.get("ocs-03").clear();
        assertThat(faults(ocs.settleAfter(HOLD))).noneMatch(Fault::quarantined);
        assertThat(faults(ocs.settleAfter(HEALTH))).isEmpty();
    }

    /** Its light may come to be too weak after it was taken out for getting weaker. */
    @ParameterizedTest
    @EnumSource(names = {"ANY_TO_ANY", "TWO_SIDED"})
    void aPortThatTheSwitchItselfFoundTooWeakReturnsOnceTheSwitchMeasuresGoodLight(DeviceKind kind) {
        ToyOcs ocs = fabricWithAJob(kind, true);
        String port = ocs.lit.get("ocs-03").first().ingress();
        ocs.failedPorts.put("ocs-03", new TreeMap<>(Map.of(port, "LowPower")));
        assertThat(faults(ocs.settleAfter(HOLD)))
                .singleElement()
                .satisfies(fault -> assertThat(fault.subject().label()).isEqualTo("port/ocs-03/" + port));
        assertThat(ocs.light().on("ocs-03")).noneMatch(circuit -> circuit.isAt(port));
        ocs.failedPorts.clear();
        assertThat(faults(ocs.settleAfter(HOLD))).noneMatch(Fault::quarantined);
        assertThat(faults(ocs.settleAfter(HEALTH))).isEmpty();
    }

    @Test
    void whereNobodyMeasuresTheSenderMayBeTheWeakOne() {
        ToyOcs ocs = fabricWithAJob(false);
        weaken(ocs, ocs.lit.get("ocs-03").first());
        assertThat(faults(ocs.settleAfter(HOLD))).hasSize(1);
        ocs.failedFarPorts.clear();
        assertThat(faults(ocs.settleAfter(HOLD))).noneMatch(Fault::quarantined);
        assertThat(faults(ocs.settleAfter(HEALTH))).isEmpty();
    }

    @Test
    void aSecondWeakEgressOfASwitchIsNotKeptOutForEver() {
        ToyOcs ocs = fabricWithAJob(true);
        weaken(ocs, ocs.lit.get("ocs-03").first());
        ocs.settleAfter(HOLD);
        ocs.failedFarPorts.clear();
        assertThat(faults(ocs.settleAfter(HOLD))).singleElement().matches(Fault::quarantined);
        weaken(ocs, ocs.lit.get("ocs-03").first());
        assertThat(faults(ocs.settleAfter(HOLD))).hasSize(2);
        ocs.failedFarPorts.clear();
        ocs.settleAfter(HOLD);
        assertThat(faults(ocs.settleAfter(HEALTH))).singleElement().matches(Fault::quarantined);
    }

    /** Light that enters at a dirty connector is too weak wherever its circuit leads. */
    private static void weakenBehind(ToyOcs ocs, Circuit dirty) {
        ocs.watch = () -> {
            ocs.failedFarPorts.clear();
            ocs.lit.get("ocs-03").stream()
                    .filter(circuit -> circuit.ingress().equals(dirty.ingress()))
                    .forEach(circuit -> weaken(ocs, circuit));
        };
        ocs.watch.run();
    }

    private static ToyOcs watchedFabric() {
        ToyOcs ocs = fabricWithAJob(true);
        ocs.settleAfter(Duration.ofSeconds(20));
        ocs.now = ocs.now.plusSeconds(20);
        ocs.settle();
        return ocs;
    }

    @Test
    void aDirtyIngressIsToBlameForWeakLightAtTheFarEndAndNoEgress() {
        ToyOcs ocs = watchedFabric();
        Circuit dirty = ocs.lit.get("ocs-03").first();
        ocs.heard = (world, pass) -> assertThat(faults(pass))
                .extracting(fault -> fault.subject().label() + " " + fault.reason())
                .isSubsetOf("port/ocs-03/" + dirty.ingress() + " LowPower");
        ocs.dirt.put("ocs-03/" + dirty.ingress(), 7.0);
        weakenBehind(ocs, dirty);
        assertThat(faults(ocs.settleAfter(HOLD))).hasSize(1);
        assertThat(ocs.light().on("ocs-03"))
                .noneMatch(circuit -> circuit.ingress().equals(dirty.ingress()));
        ocs.settleAfter(HEALTH);
        assertThat(faults(ocs.settleAfter(HEALTH)))
                .as("it is as dirty as it was, and the switch measures that")
                .singleElement()
                .matches(fault -> !fault.quarantined());

        ocs.dirt.clear();
        ocs.settleAfter(HOLD);
        assertThat(faults(ocs.settleAfter(HEALTH))).as("it was cleaned").isEmpty();
    }

    /** It is counted among the faults, and not among the ports that were taken out because they get worse. */
    @Test
    void whatBecomesOfAPortThatGetsWorseAgreesWithHowManyAreOutForThat() {
        ToyOcs ocs = watchedFabric();
        Circuit dirty = ocs.lit.get("ocs-03").first();
        ocs.dirt.put("ocs-03/" + dirty.ingress(), 7.0);
        weakenBehind(ocs, dirty);
        ocs.settleAfter(HOLD);
        ocs.now = ocs.now.plusSeconds(2);
        Deliberation rest = ocs.settle();
        assertThat(faults(rest)).extracting(Fault::reason).containsExactly("LowPower");
        FabricVerdict.Optical optical = rest.fabrics().get("spine").optical();
        assertThat(optical.takenOut()).isZero();
        assertThat(optical.degrading()).isNotEmpty().allMatch(port -> port.course() == DegradingPort.Course.TOLD);
    }

    @Test
    void anIngressThatHasNotLostEnoughToBeToldIsToBlameForWhatItLost() {
        ToyOcs ocs = watchedFabric();
        Circuit dirty = ocs.lit.get("ocs-03").first();
        ocs.dirt.put("ocs-03/" + dirty.ingress(), 1.5);
        weakenBehind(ocs, dirty);
        assertThat(faults(ocs.settleAfter(HOLD)))
                .extracting(fault -> fault.subject().label())
                .containsExactly("port/ocs-03/" + dirty.ingress());
    }

    @Test
    void anEgressThatLosesMoreThanItsIngressIsToBlame() {
        ToyOcs ocs = watchedFabric();
        Circuit dirty = ocs.lit.get("ocs-03").first();
        ocs.dirt.put("ocs-03/" + dirty.ingress(), 0.6);
        ocs.dirt.put("ocs-03/" + dirty.egress(), 6.0);
        weaken(ocs, dirty);
        assertThat(faults(ocs.settleAfter(HOLD)))
                .extracting(fault -> fault.subject().label())
                .containsExactly("port/ocs-03/" + dirty.egress());
    }

    @Test
    void anIngressThatAnEarlierProcessFoundTooWeakStaysOutUntilAPersonClearsIt() {
        ToyOcs ocs = watchedFabric();
        Circuit dirty = ocs.lit.get("ocs-03").first();
        ocs.dirt.put("ocs-03/" + dirty.ingress(), 7.0);
        weakenBehind(ocs, dirty);
        assertThat(faults(ocs.settleAfter(HOLD))).hasSize(1);
        ocs.restart();
        ocs.settleAfter(HEALTH);
        assertThat(faults(ocs.settleAfter(HEALTH))).singleElement().satisfies(fault -> {
            assertThat(fault.subject().label()).isEqualTo("port/ocs-03/" + dirty.ingress());
            assertThat(fault.quarantined()).isTrue();
        });
        ocs.now = ocs.now.plusSeconds(1);
        ocs.clearances.put("ocs-03", ocs.now);
        assertThat(faults(ocs.settleAfter(HEALTH))).isEmpty();
    }
}
