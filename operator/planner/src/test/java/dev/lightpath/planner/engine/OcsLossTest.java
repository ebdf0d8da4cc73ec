package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Ports that go by drain, silence and failure, of a job alone on its pods. */
class OcsLossTest {
    private static final Duration HOLD = Duration.ofSeconds(2);

    private static Prediction prediction(ToyOcs ocs, SliceId id) {
        return ocs.ledger.get(id).allocation().orElseThrow().prediction().orElseThrow();
    }

    private static final Workload RUNNING = new Workload.Pods(new TreeSet<>(List.of("node-0-0")), false);

    private static ToyOcs fabric() {
        return ToyOcs.logical(4, 1, 8, DeviceKind.TWO_SIDED, 2);
    }

    @Test
    void aDrainedSwitchIsLeftAndTheLossIsTold() {
        ToyOcs ocs = fabric();
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        double best = prediction(ocs, job).iterationSeconds();
        ocs.wiring.drain("ocs-00");
        Deliberation rest = ocs.settleAfter(HOLD);
        assertThat(rest.slices().get(job).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(ocs.light().on("ocs-00")).isEmpty();
        assertThat(prediction(ocs, job).portBudget()).isEqualTo(28);
        assertThat(prediction(ocs, job).proved()).isTrue();
        assertThat(prediction(ocs, job).iterationSeconds()).isGreaterThan(best);
        assertThat(prediction(ocs, job).bestSeconds()).isEqualTo(best);
        assertThat(origin(ocs, job)).contains("on 26 of 28 ports").contains("longer than at best");
    }

    @Test
    void whatWasLeftOnASwitchGoesDarkWhenTheSwitchIsDescribedAgain() {
        ToyOcs ocs = fabric();
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        OcsSwitch of = ocs.switches.remove("ocs-00");
        ocs.wiring.tellWiredPorts();
        ocs.settleAfter(HOLD);
        assertThat(ocs.recorded(job).on("ocs-00")).isEmpty();
        assertThat(ocs.lit.get("ocs-00")).isNotEmpty();
        ocs.switches.put("ocs-00", of);
        ocs.wiring.tellWiredPorts();
        Deliberation rest = ocs.settleAfter(HOLD);
        assertThat(rest.fabrics().get("spine").foreign()).isEmpty();
        assertThat(ocs.light()).isEqualTo(ocs.recorded(job));
        assertThat(ocs.ledger.get(job).allocation().orElseThrow().darkening().isEmpty())
                .isTrue();
    }

    @Test
    void whoIsWantedNoMoreIsNotKeptByASwitchThatIsNotDescribed() {
        ToyOcs ocs = fabric();
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        ocs.switches.remove("ocs-00");
        ocs.wiring.tellWiredPorts();
        ocs.settleAfter(HOLD);
        ocs.unwish(job);
        assertThat(ocs.settleAfter(HOLD).slices().get(job).placement()).isInstanceOf(Placement.Released.class);
    }

    @Test
    void lightUnderRunningPodsStaysOnADrainedSwitch() {
        ToyOcs ocs = fabric();
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo(), 0, true, RUNNING);
        ocs.settle();
        SwitchedLight before = ocs.light();
        ocs.wiring.drain("ocs-00");
        Deliberation rest = ocs.settleAfter(HOLD);
        assertThat(rest.slices().get(job).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(ocs.light()).isEqualTo(before);
    }

    @Test
    void whereADrainWouldPartPodsItsLightStays() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 2, DeviceKind.TWO_SIDED, 1);
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        SwitchedLight before = ocs.light();
        ocs.wiring.drain("ocs-00");
        Deliberation rest = ocs.settleAfter(HOLD);
        assertThat(rest.slices().get(job).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(ocs.light()).isEqualTo(before);
    }

    @Test
    void lightThatMovesNoneOfARunningJobIsAddedWhenASwitchHeals() {
        ToyOcs ocs = fabric();
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo(), 0, true, RUNNING);
        ocs.settle();
        Prediction whole = prediction(ocs, job);
        SwitchedLight before = ocs.light();
        ocs.silent.add("ocs-00");
        ocs.dark.add("ocs-00");
        ocs.settleAfter(HOLD);
        assertThat(prediction(ocs, job).loss()).isPositive();
        SwitchedLight hurt = ocs.recorded(job);
        before.minus(hurt).forEach((name, circuit) -> assertThat(name).isEqualTo("ocs-00"));
        ocs.silent.clear();
        ocs.dark.clear();
        ocs.settle();
        ocs.settleAfter(Duration.ofSeconds(40));
        assertThat(hurt.minus(ocs.light()).size()).as("moved when healed").isZero();
        assertThat(prediction(ocs, job).iterationSeconds()).isEqualTo(whole.iterationSeconds());
        assertThat(prediction(ocs, job).loss()).isZero();
    }

    @Test
    void whenTheSolverFailsAJobKeepsWhatIsLeftAndTheLossIsTold() {
        ToyOcs ocs = fabric();
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        Prediction whole = prediction(ocs, job);
        SwitchedLight before = ocs.light();
        ocs.answering = false;
        ocs.fail("ocs-00", "1");
        ocs.settleAfter(HOLD);
        FabricEngine.deliberate(ocs.world())
                .questions()
                .forEach((digest, asked) ->
                        ocs.answers.put(digest, asked.question().unsolved("it crashed")));
        Deliberation rest = ocs.settle();
        assertThat(rest.slices().get(job).placement()).isEqualTo(new Placement.Placed(Optional.of("it crashed")));
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
        assertThat(ocs.light().minus(before).size()).as("new circuits").isZero();
        assertThat(prediction(ocs, job).loss()).isPositive();
        assertThat(prediction(ocs, job).proved()).isFalse();
        assertThat(origin(ocs, job)).startsWith("fewer circuits: ").contains("longer than at best");
    }

    @Test
    void nodesThatTakeNothingNewAreLeftOut() {
        ToyOcs ocs = ToyOcs.logical(5, 1, 8, DeviceKind.TWO_SIDED, 2);
        ocs.wiring.close(0, true);
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        assertThat(ocs.nodes(job).stream().flatMap(List::stream))
                .containsExactly("node-1-0", "node-2-0", "node-3-0", "node-4-0");
        SliceId second = ocs.wishTraffic("second", ToyOcs.twoByTwo());
        assertThat(((Placement.Unplaced) ocs.settle().slices().get(second).placement()).message())
                .contains("(1 node takes nothing new: cordoned, with pods of others, or new here or held on fabrics"
                        + " that others lead, node-0-0 among them)");
    }

    private static String origin(ToyOcs ocs, SliceId id) {
        return ocs.ledger
                .get(id)
                .allocation()
                .orElseThrow()
                .origin()
                .orElseThrow()
                .why();
    }
}
