package dev.lightpath.planner.engine;

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
import java.util.List;
import org.junit.jupiter.api.Test;

/** Light of which the news come late, and light that never comes. */
class OcsLateNewsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(11);

    private final ToyOcs ocs = fabric(2);

    private SliceId lit() {
        return DarkScene.lit(ocs);
    }

    @Test
    void lightOfWhichTheNewsComeLateIsWaitedFor() {
        // nobody hears anything yet, though the switches have made it
        ocs.dark.addAll(ocs.switches.keySet());
        SliceId job = lit();
        SwitchedLight made = ocs.light();
        Deliberation silence = ocs.settleAfter(HOLD);
        assertThat(faultyPorts(silence)).isEmpty();
        // then half of them, then all
        ocs.dark.removeAll(List.of("ocs-00", "ocs-02", "ocs-04", "ocs-06"));
        Deliberation half = ocs.settleAfter(HOLD);
        assertThat(faultyPorts(half)).isEmpty();
        assertThat(half.slices().get(job).light().qualified()).isFalse();
        ocs.dark.clear();
        Deliberation rest = ocs.settleAfter(HOLD);
        assertWhole(rest, job);
        assertThat(ocs.light()).isEqualTo(made);
        assertThat(faultyPorts(rest)).isEmpty();
    }

    @Test
    void voicesOfWhoHadThePortsBeforeProveNothing() {
        SliceId first = ocs.wishTraffic("first", ToyOcs.twoByTwo());
        ocs.settle();
        ocs.delayNews();
        ocs.unwish(first);
        ocs.settle();
        ocs.forget(first);
        SliceId second = ocs.wishTraffic("second", ToyOcs.twoByTwo());
        ocs.settle();
        SwitchedLight made = ocs.light();
        // first the news that the old light went, later those that the new came
        ocs.late.clear();
        ocs.dark.addAll(ocs.switches.keySet());
        assertThat(faultyPorts(ocs.settleAfter(HOLD))).isEmpty();
        ocs.dark.clear();
        assertWhole(ocs.settleAfter(HOLD), second);
        assertThat(ocs.light()).isEqualTo(made);
    }

    @Test
    void aCircuitThatIsNeverLitIsGivenUpInTheEnd() {
        ocs.cut.add("ocs-03/1");
        SliceId job = lit();
        assertThat(faultyPorts(ocs.settleAfter(HOLD))).isEmpty();
        Deliberation rest = ocs.settleAfter(PATIENCE);
        assertThat(faultyPorts(rest)).containsExactly("port/ocs-03/1 LossOfLight");
        assertWhole(rest, job);
    }

    @Test
    void whatShoneOnceIsMissedAsSoonAsItIsDark() {
        SliceId job = lit();
        Circuit victim = first(ocs, "ocs-03");
        ocs.cut.add("ocs-03/" + victim.egress());
        ocs.dark.add("ocs-05");
        Deliberation rest = ocs.settleAfter(HOLD);
        assertThat(faultyPorts(rest))
                .contains("port/ocs-03/" + victim.ingress() + " LossOfLight")
                .anyMatch(fault -> fault.startsWith("port/ocs-05/"));
        assertWhole(rest, job);
    }
}
