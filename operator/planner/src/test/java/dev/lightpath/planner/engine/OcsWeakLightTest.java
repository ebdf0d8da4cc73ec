package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.stripe.DeviceKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Ports of switches where light gets weak, and whether they are the ones to be cleaned. */
class OcsWeakLightTest {
    private static final Duration HOLD = Duration.ofSeconds(2);
    private static final Duration HEALTH = Duration.ofSeconds(40);

    private static ToyOcs fabricWithAJob(boolean measuring) {
        ToyOcs ocs = ToyOcs.logical(4, 1, 8, DeviceKind.TWO_SIDED, 2);
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
}
