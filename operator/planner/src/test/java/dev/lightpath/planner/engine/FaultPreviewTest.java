package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.engine.simulation.FaultPreview;
import dev.lightpath.planner.engine.simulation.FaultSimulation;
import dev.lightpath.planner.engine.simulation.Snapshot;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Faults of a job on a ring and on switches between pods of its nodes, simulated. */
class FaultPreviewTest {
    private static final Duration HOLD = Duration.ofSeconds(2);
    private static final SliceId SPINE = RingInPods.onSwitches("llm");
    private static final SliceId RING = RingInPods.onRing("llm");

    private final RingInPods both = new RingInPods();
    private final ToyRing ring = both.ring;
    private final ToyOcs ocs = both.ocs;

    private boolean late;

    private void settled(int stagesPerPod) {
        both.wish("llm", stagesPerPod);
        ocs.settle();
    }

    private FaultPreview preview(Subject fault) {
        return simulation(question -> question.answer(new DeltaPlanner(), SearchLimits.standard()))
                .strike(fault, ocs.world().slices());
    }

    private FaultSimulation simulation(Function<TopologyQuestion, TopologyAnswer> solver) {
        World world = ocs.world();
        return new FaultSimulation(
                new Snapshot(world.now(), world.rings(), world.ocsFabrics(), world.slices(), world.ledger(), List.of()),
                solver,
                () -> late);
    }

    @Test
    void aSimulationThatIsLateShowsHowFarItCame() {
        settled(1);
        int failed = ring.positions(RING).get(1).getFirst();
        assertThat(preview(new Subject.OfNode("n" + failed)).settled()).isTrue();
        late = true;
        assertThat(preview(new Subject.OfNode("n" + failed)).settled()).isFalse();
    }

    private Allocation recorded(SliceId id) {
        return (id.equals(RING) ? ring.ledger : ocs.ledger).get(id).allocation().orElseThrow();
    }

    @Test
    void aNodeOfAJobOnTwoFabricsIsReplacedAsItThenIs() {
        settled(1);
        Allocation before = recorded(RING);
        int failed = ring.positions(RING).get(1).getFirst();
        FaultPreview shown = preview(new Subject.OfNode("n" + failed));
        assertThat(recorded(RING)).as("nothing is touched").isEqualTo(before);
        assertThat(shown.settled()).isTrue();
        assertThat(shown.effects()).containsOnlyKeys(RING);
        assertThat(shown.effects().get(RING).placement()).isInstanceOf(Placement.Placed.class);
        ring.notReady.add("n" + failed);
        ocs.settleAfter(HOLD);
        assertThat(shown.effects().get(RING).after().orElseThrow().groups())
                .isEqualTo(recorded(RING).groups())
                .isNotEqualTo(before.groups());
    }

    @Test
    void aNodeWithoutASpareInItsPodLeavesTheJobUnrepaired() {
        settled(2);
        int failed = ring.positions(RING).getFirst().getFirst();
        FaultPreview shown = preview(new Subject.OfNode("n" + failed));
        FaultPreview.Effect effect = shown.effects().get(RING);
        assertThat(effect.unrepaired()).isTrue();
        assertThat(effect.before()).isEqualTo(effect.after());
        assertThat(((Placement.Faulted) effect.placement()).waitsFor()).contains("in the pod of its stage");
    }

    @Test
    void aSwitchTakesItsCircuitsAndThePredictionSaysWhatIsLost() {
        settled(1);
        SwitchedLight before = recorded(SPINE).circuits();
        String failed = before.circuits().firstKey();
        FaultPreview shown = preview(new Subject.OfDevice(failed));
        FaultPreview.Effect effect = shown.effects().get(SPINE);
        assertThat(shown.effects()).containsOnlyKeys(SPINE);
        assertThat(effect.after().orElseThrow().circuits().on(failed)).isEmpty();
        ocs.silent.add(failed);
        ocs.dark.add(failed);
        ocs.settleAfter(HOLD);
        assertThat(effect.after().orElseThrow().circuits())
                .isEqualTo(recorded(SPINE).circuits());
        assertThat(effect.after().flatMap(Allocation::prediction).map(Prediction::iterationSeconds))
                .isEqualTo(recorded(SPINE).prediction().map(Prediction::iterationSeconds));
    }

    @Test
    void aPortOfASwitchTakesOneCircuit() {
        settled(1);
        SwitchedLight before = recorded(SPINE).circuits();
        String name = before.circuits().firstKey();
        String port = before.on(name).iterator().next().ingress();
        FaultPreview.Effect effect =
                preview(new Subject.OfPort(name, port)).effects().get(SPINE);
        SwitchedLight after = effect.after().orElseThrow().circuits();
        assertThat(after.on(name)).noneMatch(circuit -> circuit.ingress().equals(port));
        assertThat(effect.origin()).isPresent();
    }

    @Test
    void transceiversThatFallSilentAreReplacedAsTheyThenAre() {
        settled(1);
        String failed = "n" + ring.positions(RING).getFirst().getFirst();
        FaultPreview shown = preview(new Subject.OfDevice(failed));
        ring.silent.add(failed);
        ocs.settleAfter(HOLD);
        assertThat(shown.effects().get(RING).after().orElseThrow().groups())
                .isEqualTo(recorded(RING).groups());
        assertThat(recorded(RING).nodes()).doesNotContain(failed);
    }

    @Test
    void aBundleThatFailsIsGoneRoundAsItThenIs() {
        settled(1);
        Allocation before = recorded(RING);
        String failed = "n" + ring.positions(RING).getFirst().getFirst();
        FaultPreview shown = preview(new Subject.OfPort(failed, "b0.common"));
        ring.failedPorts.put(failed, new TreeMap<>(Map.of("b0.common", "PortFailed")));
        ocs.settleAfter(HOLD);
        assertThat(recorded(RING).groups()).isNotEqualTo(before.groups());
        assertThat(shown.effects().get(RING).after().orElseThrow().groups())
                .isEqualTo(recorded(RING).groups());
    }

    @Test
    void whatServesNobodyConcernsNobody() {
        settled(1);
        List<Integer> serving =
                ring.positions(RING).stream().flatMap(List::stream).toList();
        int spare = IntStream.range(0, 24)
                .filter(node -> !serving.contains(node))
                .findFirst()
                .orElseThrow();
        assertThat(preview(new Subject.OfNode("n" + spare)).effects()).isEmpty();
    }

    /** The wish on the ring with other words about repairs. */
    private void ask(Replacement replacement, boolean relocatable) {
        ring.slices.computeIfPresent(
                RING,
                (id, was) -> was.but()
                        .replacement(replacement)
                        .relocatable(relocatable)
                        .build());
    }

    @Test
    void whatIsNeverToBeRepairedIsNotRepaired() {
        settled(1);
        ask(new Replacement.Never(), false);
        int failed = ring.positions(RING).getFirst().getFirst();
        FaultPreview.Effect effect =
                preview(new Subject.OfNode("n" + failed)).effects().get(RING);
        assertThat(effect.placement()).isInstanceOf(Placement.Faulted.class);
        assertThat(effect.unrepaired()).isTrue();
        assertThat(effect.placedAnew()).isFalse();
    }

    @Test
    void aPausedFabricIsSimulatedAsThoughItWentOn() {
        settled(1);
        int failed = ring.positions(RING).getFirst().getFirst();
        Subject fault = new Subject.OfNode("n" + failed);
        FaultPreview.Effect going = preview(fault).effects().get(RING);
        ring.paused = true;
        ocs.paused = true;
        FaultPreview.Effect paused = preview(fault).effects().get(RING);
        assertThat(paused.after()).isEqualTo(going.after()).isNotEqualTo(going.before());
        assertThat(paused.unrepaired()).isFalse();
    }

    @Test
    void whoeverCanBePlacedAnewWholeIsNotLeftBroken() {
        for (boolean relocatable : new boolean[] {true, false}) {
            FaultPreview.Effect effect = new FaultPreview.Effect(
                    Optional.empty(),
                    Optional.empty(),
                    new Placement.Faulted(List.of("n1"), "no spare within reach", true, relocatable),
                    Optional.empty());
            assertThat(effect.unrepaired()).isEqualTo(!relocatable);
            assertThat(effect.placedAnew()).isEqualTo(relocatable);
        }
    }

    @Test
    void aPolicyThatWaitsForNothingShowsTheSame() {
        settled(1);
        List<Subject> faults = List.of(
                new Subject.OfNode("n" + ring.positions(RING).getFirst().getFirst()),
                new Subject.OfDevice(recorded(SPINE).circuits().circuits().firstKey()));
        List<FaultPreview> usual = faults.stream().map(this::preview).toList();
        ring.policy = ring.policy.lasting(Duration.ZERO, Duration.ZERO);
        ocs.policy = ocs.policy.lasting(Duration.ZERO, Duration.ZERO);
        assertThat(faults.stream().map(this::preview)).containsExactlyElementsOf(usual);
    }

    @Test
    void noQuestionIsAnsweredTwice() {
        settled(1);
        String failed = recorded(SPINE).circuits().circuits().firstKey();
        List<String> asked = new ArrayList<>();
        FaultSimulation simulation = simulation(question -> {
            asked.add(question.digest());
            return question.answer(new DeltaPlanner(), SearchLimits.standard());
        });
        FaultPreview first =
                simulation.strike(new Subject.OfDevice(failed), ocs.world().slices());
        int before = asked.size();
        FaultPreview again =
                simulation.strike(new Subject.OfDevice(failed), ocs.world().slices());
        assertThat(before).isPositive();
        assertThat(asked).hasSize(before).doesNotHaveDuplicates();
        assertThat(again).isEqualTo(first);
    }
}
