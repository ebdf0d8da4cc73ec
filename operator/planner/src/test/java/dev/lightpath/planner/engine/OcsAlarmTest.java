package dev.lightpath.planner.engine;

import static dev.lightpath.planner.engine.DarkScene.HEALTH;
import static dev.lightpath.planner.engine.DarkScene.HOLD;
import static dev.lightpath.planner.engine.DarkScene.assertWhole;
import static dev.lightpath.planner.engine.DarkScene.fabric;
import static dev.lightpath.planner.engine.DarkScene.faultyPorts;
import static dev.lightpath.planner.engine.DarkScene.first;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.world.SliceId;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What devices say of their own ports and of themselves, where pods have several circuits between them. */
class OcsAlarmTest {
    private final ToyOcs ocs = fabric(2);

    private SliceId lit() {
        return DarkScene.lit(ocs);
    }

    @Test
    void aPortThatAPodReportsFailedIsLeftAtBothEndsOfItsFibre() {
        SliceId job = lit();
        ocs.failedFarPorts.put("pod-01", new TreeMap<>(Map.of("ocs-03/0", "PortFailed")));
        Deliberation rest = ocs.settleAfter(HOLD);
        assertWhole(rest, job);
        assertThat(faultyPorts(rest)).containsExactly("port/ocs-03/1003 PortFailed", "port/ocs-03/3 PortFailed");
        ocs.light().on("ocs-03").forEach(circuit -> {
            assertThat(circuit.ingress()).isNotEqualTo("3");
            assertThat(circuit.egress()).isNotEqualTo("1003");
        });
    }

    @Test
    void weakLightIsLeftAtTheSideWhereItGetsWeak() {
        SliceId job = lit();
        Circuit victim = first(ocs, "ocs-03");
        int at = Integer.parseInt(victim.egress()) - 1001;
        TreeMap<String, String> weak = new TreeMap<>(Map.of("ocs-03/" + at % 2, "LowPower"));
        ocs.failedFarPorts.put(ToyOcs.pod(at / 2), weak);
        Deliberation rest = ocs.settleAfter(HOLD);
        assertWhole(rest, job);
        assertThat(faultyPorts(rest)).containsExactly("port/ocs-03/" + victim.egress() + " LowPower");
        assertThat(ocs.light().on("ocs-03")).noneMatch(lit -> lit.egress().equals(victim.egress()));

        ToyOcs other = fabric(2);
        job = other.wishTraffic("llm", ToyOcs.twoByTwo());
        other.settle();
        other.failedFarPorts.put(ToyOcs.pod(at / 2), weak);
        other.failedPorts.put("ocs-03", new TreeMap<>(Map.of(victim.ingress(), "LowPower")));
        rest = other.settle();
        assertThat(faultyPorts(rest)).isEmpty();
        other.now = other.now.plus(Duration.ofMillis(300));
        rest = other.step();
        assertThat(faultyPorts(rest)).containsExactly("port/ocs-03/" + victim.ingress() + " LowPower");
    }

    /** No circuit leads there any more, so nobody sees weak light: the connector is no cleaner for it. */
    @Test
    void weakLightThatWasLeftKeepsItsPortOutUntilAPersonClearsIt() {
        SliceId job = lit();
        Circuit victim = first(ocs, "ocs-03");
        int at = Integer.parseInt(victim.egress()) - 1001;
        TreeMap<String, String> weak = new TreeMap<>(Map.of("ocs-03/" + at % 2, "LowPower"));
        ocs.failedFarPorts.put(ToyOcs.pod(at / 2), weak);
        ocs.settleAfter(HOLD);
        ocs.failedFarPorts.clear();
        SwitchedLight moved = ocs.light();
        assertThat(moved.on("ocs-03")).noneMatch(lit -> lit.egress().equals(victim.egress()));
        Deliberation rest = ocs.settleAfter(Duration.ofMinutes(20));
        assertWhole(rest, job);
        assertThat(ocs.light()).isEqualTo(moved);
        assertThat(rest.fabrics().get("spine").faults()).singleElement().satisfies(fault -> {
            assertThat(fault.subject().label()).isEqualTo("port/ocs-03/" + victim.egress());
            assertThat(fault.quarantined()).isTrue();
        });
    }

    @Test
    void weakLightThatGetsStrongWhileItShinesIsOver() {
        lit();
        Circuit victim = first(ocs, "ocs-03");
        SwitchedLight before = ocs.light();
        // so that the light stays where it is weak
        ocs.paused = true;
        int at = Integer.parseInt(victim.egress()) - 1001;
        ocs.failedFarPorts.put(ToyOcs.pod(at / 2), new TreeMap<>(Map.of("ocs-03/" + at % 2, "LowPower")));
        assertThat(faultyPorts(ocs.settleAfter(HOLD))).hasSize(1);
        assertThat(ocs.light()).isEqualTo(before);
        ocs.failedFarPorts.clear();
        assertThat(faultyPorts(ocs.settleAfter(HEALTH))).isEmpty();
    }

    @Test
    void anAlarmOfAPodsOwnDeviceIsToldAndMovesNoLight() {
        SliceId job = lit();
        SwitchedLight before = ocs.light();
        ocs.failedFarPorts.put(ToyOcs.pod(0), new TreeMap<>(Map.of("", "Temperature")));
        Deliberation rest = ocs.settleAfter(HOLD);
        assertThat(faultyPorts(rest)).containsExactly("device/" + ToyOcs.pod(0) + " Temperature");
        assertThat(ocs.light()).isEqualTo(before);
        assertWhole(rest, job);
    }

    @Test
    void aHotSwitchGetsNoNewCircuitsAndKeepsThoseThatShine() {
        SliceId job = lit();
        SwitchedLight before = ocs.light();
        ocs.failedPorts.put("ocs-03", new TreeMap<>(Map.of("", "Temperature")));
        Deliberation rest = ocs.settleAfter(HOLD);
        assertThat(faultyPorts(rest)).containsExactly("device/ocs-03 Temperature");
        assertThat(rest.fabrics().get("spine").massFailure()).isEmpty();
        assertThat(ocs.light()).isEqualTo(before);
        assertWhole(rest, job);
        ocs.unwish(job);
        ocs.settle();
        SliceId late = ocs.wishTraffic("late", ToyOcs.twoByTwo());
        assertWhole(ocs.settle(), late);
        assertThat(ocs.light().on("ocs-03")).isEmpty();
    }

    @Test
    void aHotSwitchKeepsItsCircuitsWhileTheNewsOfOthersComeLate() {
        ocs.dark.add("ocs-02");
        SliceId job = lit();
        SwitchedLight before = ocs.recorded(job);
        assertThat(before.on("ocs-02")).containsAnyElementsOf(before.on("ocs-03"));
        ocs.failedPorts.put("ocs-03", new TreeMap<>(Map.of("", "Temperature")));
        ocs.settleAfter(HOLD);
        assertThat(ocs.recorded(job)).isEqualTo(before);
    }
}
