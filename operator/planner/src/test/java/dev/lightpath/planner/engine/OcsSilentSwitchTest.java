package dev.lightpath.planner.engine;

import static dev.lightpath.planner.engine.DarkScene.HOLD;
import static dev.lightpath.planner.engine.DarkScene.cutFibre;
import static dev.lightpath.planner.engine.DarkScene.fabric;
import static dev.lightpath.planner.engine.DarkScene.first;
import static dev.lightpath.planner.engine.DarkScene.lit;
import static dev.lightpath.planner.engine.DarkScene.prediction;
import static dev.lightpath.planner.engine.DarkScene.running;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.SliceId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A switch that does not answer may shine on: what its far ends hear tells. */
class OcsSilentSwitchTest {
    @Test
    void aSilentSwitchThatShinesOnKeepsItsCircuits() {
        ToyOcs ocs = fabric(2);
        SliceId job = lit(ocs);
        SwitchedLight before = ocs.light();
        Prediction whole = prediction(ocs, job);
        ocs.silent.add("ocs-03");
        ocs.settleAfter(HOLD);
        assertThat(ocs.recorded(job)).isEqualTo(before);
        assertThat(prediction(ocs, job)).isEqualTo(whole);
    }

    /** The network by which a row is managed fails. */
    @Test
    void nobodyCanSayThatASilentSwitchIsDarkWhereItsFarEndsAreSilentToo() {
        for (boolean dies : List.of(false, true)) {
            ToyOcs ocs = fabric(2);
            SliceId job = lit(ocs);
            SwitchedLight before = ocs.recorded(job);
            ocs.silent.add("ocs-03");
            ocs.mutePods.add("pod-02");
            if (dies) {
                ocs.dark.add("ocs-03");
            }
            ocs.settleAfter(HOLD);
            if (dies) {
                assertThat(ocs.recorded(job).on("ocs-03")).isEmpty();
            } else {
                assertThat(ocs.recorded(job)).isEqualTo(before);
            }
        }
    }

    /** Between the same pods a job has circuits on a silent switch that shines on, and another one comes. */
    @Test
    void circuitsThatAreNotMadeYetSayNothingAgainstASilentSwitch() {
        ToyOcs ocs = ToyOcs.logical(4, 2, 8, DeviceKind.TWO_SIDED, 4);
        SliceId one = running(ocs, "one", "node-0-0", ToyOcs.twoByTwo());
        ocs.settle();
        SwitchedLight before = ocs.recorded(one);
        ocs.silent.add(before.circuits().firstKey());
        ocs.settleAfter(HOLD);
        SliceId two = running(ocs, "two", "node-0-1", ToyOcs.twoByTwo());
        ocs.settle();
        assertThat(ocs.recorded(two).size()).isPositive();
        assertThat(ocs.recorded(one)).isEqualTo(before);
    }

    @Test
    void circuitsOfWhichTheNewsComeLateSayNothingAgainstASilentSwitch() {
        for (boolean hinted : List.of(true, false)) {
            ToyOcs ocs = ToyOcs.logical(2, 2, 5, DeviceKind.TWO_SIDED, 2);
            ocs.hinted = hinted;
            SliceId one = running(ocs, "one", "node-0-0", twoStages());
            ocs.settle();
            SwitchedLight before = ocs.recorded(one);
            String silent = before.circuits().firstKey();
            ocs.silent.add(silent);
            ocs.settleAfter(HOLD);
            ocs.delayNews();
            SliceId two = running(ocs, "two", "node-0-1", twoStages());
            ocs.settleAfter(HOLD);
            assertThat(ocs.light().size())
                    .isEqualTo(before.size() + ocs.recorded(two).size());
            assertThat(ocs.recorded(one)).as("hinted: %s", hinted).isEqualTo(before);
            ocs.late.clear();
            ocs.settleAfter(HOLD);
            assertThat(ocs.recorded(one)).as("hinted: %s", hinted).isEqualTo(before);
            ocs.dark.add(silent);
            ocs.settle();
            assertThat(ocs.recorded(one).on(silent)).as("hinted: %s", hinted).isEmpty();
        }
    }

    /** A stage made them all, and of the light of other pods the news come late. */
    @Test
    void circuitsThatAreSeenLitSpeakAgainstASwitchThatDiesWhileOthersAreWaitedFor() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 8, DeviceKind.TWO_SIDED, 2);
        ocs.hinted = true;
        ocs.settle();
        ocs.delayNews();
        List.of(ToyOcs.pod(0), ToyOcs.pod(1)).forEach(ocs.late::remove);
        SliceId job = lit(ocs);
        SwitchedLight before = ocs.recorded(job);
        List<String> joining = before.circuits().keySet().stream()
                .filter(name -> before.on(name).stream().anyMatch(OcsSilentSwitchTest::leadsFromPod1ToPod0))
                .toList();
        assertThat(joining).hasSizeGreaterThan(1);
        ocs.silent.add(joining.getFirst());
        ocs.dark.add(joining.getFirst());
        ocs.settleAfter(HOLD);
        assertThat(ocs.recorded(job).on(joining.getFirst())).noneMatch(OcsSilentSwitchTest::leadsFromPod1ToPod0);
    }

    @Test
    void aCircuitThatIsKnownToBeDarkSaysNothingAgainstASilentSwitch() {
        for (boolean alarm : List.of(true, false)) {
            ToyOcs ocs = fabric(2);
            SliceId job = running(ocs, "one", "node-0-0", ToyOcs.twoByTwo());
            ocs.settle();
            SwitchedLight before = ocs.recorded(job);
            String silent = before.circuits().firstKey();
            // another switch that joins the same pods
            String other = before.circuits().tailMap(silent + "0").keySet().stream()
                    .filter(name -> before.on(name).contains(first(ocs, silent)))
                    .findFirst()
                    .orElseThrow();
            Circuit victim = first(ocs, silent);
            ocs.silent.add(silent);
            ocs.settleAfter(HOLD);
            if (alarm) {
                ocs.fail(other, victim.ingress());
            } else {
                ocs.cut.add(other + "/" + victim.ingress());
            }
            ocs.settleAfter(HOLD);
            assertThat(ocs.recorded(job).on(other)).doesNotContain(victim);
            assertThat(ocs.recorded(job).on(silent)).as("alarm: %s", alarm).isEqualTo(before.on(silent));
        }
    }

    /**
     * A job goes while a switch that shines does not answer; the next one on these pods may not live on what it left.
     */
    @Test
    void whatASilentSwitchStillCarriesForOthersProvesNothing() {
        for (boolean hinted : List.of(true, false)) {
            ToyOcs ocs = fabric(2);
            ocs.hinted = hinted;
            SliceId old = ocs.wishTraffic("old", ToyOcs.twoByTwo());
            ocs.settle();
            ocs.silent.add("ocs-03");
            ocs.settleAfter(HOLD);
            ocs.unwish(old);
            ocs.settle();
            assertThat(ocs.lit.get("ocs-03")).isNotEmpty();
            assertThat(ocs.ledger
                            .get(old)
                            .allocation()
                            .orElseThrow()
                            .darkening()
                            .size())
                    .isPositive();
            SliceId job = ocs.wishTraffic("new", ToyOcs.twoByTwo());
            Deliberation rest = ocs.settle();
            Circuit echo = first(ocs, "ocs-03");
            // one of the new circuits between the two pods that the old light joins
            OcsSwitch silent = ocs.switches.get("ocs-03");
            String name = ocs.recorded(job).circuits().keySet().stream()
                    .filter(of -> ocs.recorded(job).on(of).contains(echo))
                    .findFirst()
                    .orElseThrow();
            assertThat(silent.name()).isNotEqualTo(name);
            assertThat(rest.slices().get(job).light().qualified()).isTrue();
            cutFibre(ocs, name, echo.ingress());
            assertThat(FabricEngine.deliberate(ocs.world())
                            .slices()
                            .get(job)
                            .light()
                            .qualified())
                    .as("hinted: %s", hinted)
                    .isFalse();
        }
    }

    private static boolean leadsFromPod1ToPod0(Circuit circuit) {
        return List.of("3", "4").contains(circuit.ingress())
                && List.of("1001", "1002").contains(circuit.egress());
    }

    private static Demand.Traffic twoStages() {
        return Gpt7b.traffic(Parallelism.ofDegrees(8, 2, 1, 1, 1), new Batch(16, 1, 4096, true), 1);
    }
}
