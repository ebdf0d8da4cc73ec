package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lightpath.planner.ask.Iteration;
import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.ExecutionTrace;
import dev.lightpath.planner.delta.iteration.IterationProfile;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.delta.iteration.Placement;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.iteration.RankPlacement;
import dev.lightpath.planner.delta.iteration.TraceInstance;
import dev.lightpath.planner.delta.iteration.TraceStep;
import dev.lightpath.planner.delta.iteration.TracedIteration;
import dev.lightpath.planner.delta.iteration.TrainingWorkload;
import dev.lightpath.planner.delta.model.CommunicationTask;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Pod;
import dev.lightpath.planner.delta.model.PodPair;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.simulation.Rates;
import dev.lightpath.planner.delta.simulation.Simulator;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.SliceId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Jobs whose traffic was recorded. */
class OcsRecordedTrafficTest {

    /** Four ranks of eight GPUs a pod: rank 0 sends much to rank 8 and little to rank 24, rank 16 answers. */
    static TracedIteration starOfThree() {
        List<List<TraceStep>> ranks = new java.util.ArrayList<>();
        for (int rank = 0; rank < 32; rank++) {
            ranks.add(
                    switch (rank) {
                        case 0 ->
                            List.of(
                                    new TraceStep.Compute("c", List.of(), 0.1),
                                    new TraceStep.Send("much", List.of(0), 8, 1, 4e10),
                                    new TraceStep.Send("little", List.of(0), 24, 2, 1e9));
                        case 8 -> List.of(new TraceStep.Receive("r", List.of(), 0, 1));
                        case 24 -> List.of(new TraceStep.Receive("r", List.of(), 0, 2));
                        default -> List.of(new TraceStep.Compute("c", List.of(), 0.05));
                    });
        }
        return TracedIteration.of(
                TraceInstance.of(new ExecutionTrace("t", ranks, List.of()), new RankPlacement(8, 4, 16, 400, 400)));
    }

    private static Demand.Traffic traced(TracedIteration trace) {
        return new Demand.Traffic(
                new Iteration.OfTrace(trace),
                Parallelism.ofDegrees(8, 4, 1, 1, 1),
                OptionalInt.of(1),
                Goal.fewestPorts(Algorithm.JOINT, 1e-9),
                Duration.ofSeconds(10));
    }

    private static Prediction prediction(ToyOcs ocs, SliceId id) {
        return ocs.ledger.get(id).allocation().orElseThrow().prediction().orElseThrow();
    }

    @Test
    void aPackedIterationIsWhatWasPacked() {
        TracedIteration trace = starOfThree();
        assertThat(trace.pods()).isEqualTo(4);
        assertThat(trace.pairs()).containsExactly(new PodPair(0, 1), new PodPair(0, 3));
        assertThat(TracedIteration.of(trace.instance())).isEqualTo(trace);
        assertThat(trace.toString()).doesNotContain(trace.packed());
    }

    @Test
    void podsThatTalkInATraceAreJoinedAndNoOthers() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 8, DeviceKind.TWO_SIDED, 2);
        SliceId job = ocs.wishTraffic("traced", traced(starOfThree()));
        Deliberation rest = ocs.settle();
        assertThat(rest.slices().get(job).placement()).isInstanceOf(SliceVerdict.Placement.Placed.class);
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
        List<Integer> circuits = prediction(ocs, job).circuits();
        assertThat(circuits).hasSize(2);
        // both directions of each circuit, and a fourth pod without any
        assertThat(ocs.light().size()).isEqualTo(2 * (circuits.get(0) + circuits.get(1)));
        assertThat(prediction(ocs, job).iterationSeconds())
                .isCloseTo(
                        new Simulator(starOfThree().instance()).makespanSeconds(new Topology(circuits), Rates.JOINT),
                        within(1e-9));
        assertThat(ocs.nodes(job)).hasSize(4);
    }

    @Test
    void aTracedJobLivesThroughTheLossOfASwitch() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 2, DeviceKind.TWO_SIDED, 1);
        SliceId job = ocs.wishTraffic("traced", traced(starOfThree()));
        ocs.settle();
        SwitchedLight before = ocs.light();
        ocs.fail("ocs-00", "2");
        ocs.fail("ocs-00", "1002");
        Deliberation rest = ocs.settleAfter(Duration.ofSeconds(2));
        assertThat(rest.slices().get(job).placement()).isNotInstanceOf(SliceVerdict.Placement.Unplaced.class);
        assertThat(before.isEmpty()).isFalse();
        assertThat(ocs.light().on("ocs-00"))
                .noneMatch(circuit ->
                        circuit.ingress().equals("2") || circuit.egress().equals("1002"));
    }

    @Test
    void aProfileOfAModelAsksWhatItsShapeAsks() {
        Parallelism parallelism = Parallelism.ofDegrees(2, 4, 2, 1, 1);
        Batch batch = new Batch(8, 1, 4096, true);
        IterationProfile profile = IterationProfile.of(new TrainingWorkload(
                "gpt", Preset.GPT_7B.model(), parallelism, batch, new Placement(2, 4, 400, false)));
        Demand.Traffic traffic = new Demand.Traffic(
                new Iteration.OfProfile(
                        8,
                        profile.forwardSeconds(),
                        profile.backwardSeconds(),
                        profile.pipelineBytes(),
                        profile.dataBytes()),
                parallelism,
                OptionalInt.of(2),
                Goal.fewestPorts(Algorithm.JOINT, 1e-9),
                Duration.ofSeconds(10));
        ToyOcs ocs = ToyOcs.logical(4, 1, 4, DeviceKind.ANY_TO_ANY, 1);
        SliceId job = ocs.wishTraffic("aicb", traffic);
        ocs.settle();
        assertThat(prediction(ocs, job).circuits()).containsExactly(1, 3, 2);
        assertThat(prediction(ocs, job).iterationSeconds()).isCloseTo(0.764862895882, within(1e-11));
    }

    /** Two pods of one rank, and 400 transfers at once, each of other bytes. */
    private static Demand.Traffic heavy() {
        List<CommunicationTask> tasks = IntStream.range(0, 400)
                .mapToObj(m -> new CommunicationTask(m, "t" + m, 0, 1, 1, 1e6 + m * 1e3, List.of(0), List.of(8)))
                .toList();
        return new Demand.Traffic(
                new Iteration.OfTrace(TracedIteration.of(DeltaInstance.withGroupPerPair(
                        "at once", 5e10, List.of(new Pod(0, 8, true), new Pod(1, 8, true)), tasks, List.of()))),
                Parallelism.ofDegrees(8, 2, 1, 1, 1),
                OptionalInt.of(1),
                Goal.fewestPorts(Algorithm.JOINT, 1e-9),
                Duration.ofSeconds(10));
    }

    private static void answer(ToyOcs ocs, Deliberation asking, int circuits, double seconds) {
        assertThat(asking.questions()).hasSize(1);
        asking.questions()
                .keySet()
                .forEach(digest -> ocs.answers.put(
                        digest,
                        new TopologyAnswer.Found(
                                new Prediction(
                                        digest, List.of(circuits), seconds, 1, 1, 2 * circuits, 16, false, seconds),
                                Optional.empty())));
    }

    /** What others than the answered circuits cost is not simulated in a pass. */
    @Test
    void aJobThatIsTooHeavyToSimulateMovesToAnswersAsTheyAreAndToNoPartOfThem() {
        ToyOcs ocs = ToyOcs.logical(2, 1, 8, DeviceKind.ANY_TO_ANY, 1);
        ocs.answering = false;
        SliceId job = ocs.wishTraffic("crowd", heavy());
        answer(ocs, ocs.step(), 2, 10);
        ocs.settle();
        SwitchedLight before = ocs.light();
        assertThat(prediction(ocs, job).circuits()).containsExactly(2);
        List<String> unused = ocs.switches.keySet().stream()
                .filter(name -> before.on(name).isEmpty())
                .toList();
        // seven ports of each pod are left, and six circuits
        ocs.fail(unused.get(0), "1");
        ocs.fail(unused.get(1), "2");
        Deliberation asking = ocs.settleAfter(Duration.ofSeconds(2));
        answer(ocs, asking, 7, 5);
        ocs.settle();
        assertThat(ocs.light()).isEqualTo(before);
        assertThat(prediction(ocs, job).iterationSeconds()).isEqualTo(10);
        answer(ocs, asking, 6, 6);
        ocs.settle();
        assertThat(prediction(ocs, job).circuits()).containsExactly(6);
        assertThat(ocs.light().minus(before).isEmpty()).isFalse();
    }
}
