package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

public class OcsTrafficTest {
    private static final Duration HOLD = Duration.ofSeconds(2);

    /** Two replicas of four stages of two GPUs, two stages a pod: Fig. 1 of the delta paper with 8 micro-batches. */
    public static Demand.Traffic gpt7b(int stagesPerPod) {
        return gpt7b(stagesPerPod, 2);
    }

    static Demand.Traffic gpt7b(int stagesPerPod, int replicas) {
        return Gpt7b.traffic(Parallelism.ofDegrees(2, 4, replicas, 1, 1), new Batch(8, 1, 4096, true), stagesPerPod);
    }

    private static Prediction prediction(ToyOcs ocs, SliceId id) {
        return recorded(ocs, id).prediction().orElseThrow();
    }

    private static Allocation recorded(ToyOcs ocs, SliceId id) {
        return ocs.ledger.get(id).allocation().orElseThrow();
    }

    private static Placement placement(Deliberation deliberation, SliceId id) {
        return deliberation.slices().get(id).placement();
    }

    @Test
    void lightsTheOptimumOfThePaperAndPredictsIt() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 4, DeviceKind.ANY_TO_ANY, 1);
        SliceId job = ocs.wishTraffic("gpt", gpt7b(2));
        Deliberation rest = ocs.settle();
        assertThat(placement(rest, job)).isInstanceOf(Placement.Placed.class);
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
        assertThat(prediction(ocs, job).circuits()).containsExactly(1, 3, 2);
        assertThat(prediction(ocs, job).iterationSeconds())
                .isCloseTo(0.764862895882, org.assertj.core.data.Offset.offset(1e-11));
        assertThat(prediction(ocs, job).proved()).isTrue();
        // the paper's 1,3,3 with one port less, which costs nothing: a neighbour in each of two replicas, peers of two
        // pods
        assertThat(ocs.light().size()).isEqualTo(2 + 3 + 2);
        assertThat(ocs.light()).isEqualTo(recorded(ocs, job).circuits());
    }

    @Test
    void twoSidedSwitchesCarryBothDirections() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 4, DeviceKind.TWO_SIDED, 1);
        SliceId job = ocs.wishTraffic("gpt", gpt7b(2));
        Deliberation rest = ocs.settle();
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
        assertThat(ocs.light().size()).isEqualTo(14);
    }

    @Test
    void ranksGoReplicaByReplicaAndStageByStage() {
        ToyOcs ocs = ToyOcs.logical(8, 1, 4, DeviceKind.ANY_TO_ANY, 1);
        SliceId job = ocs.wishTraffic("gpt", gpt7b(2));
        ocs.settle();
        assertThat(recorded(ocs, job).groups().stream()
                        .map(group -> group.members().getFirst().node()))
                .containsExactly(
                        "node-0-0", "node-0-0", "node-1-0", "node-1-0", "node-2-0", "node-2-0", "node-3-0", "node-3-0");
    }

    @Test
    void peersOfManyReplicasFormARing() {
        ToyOcs ocs = ToyOcs.logical(10, 1, 6, DeviceKind.ANY_TO_ANY, 1);
        for (int replicas : new int[] {3, 4, 5}) {
            SliceId job = ocs.wishTraffic("gpt" + replicas, gpt7b(2, replicas));
            Deliberation rest = ocs.settle();
            assertThat(rest.slices().get(job).light().qualified()).isTrue();
            List<Integer> circuits = prediction(ocs, job).circuits();
            int ends = replicas * (2 * circuits.get(0) + circuits.get(1) + circuits.get(2));
            assertThat(ocs.light().size())
                    .as("%d replicas: %s", replicas, circuits)
                    .isEqualTo(ends / 2);
            ocs.unwish(job);
            ocs.settle();
            assertThat(ocs.light().size()).isZero();
        }
    }

    /**
     * The last pod of a replica of three stages holds one: it may not take the pod that the next replica's two stages
     * need.
     */
    @Test
    void aLastStageLeavesTheEmptyPodsToThoseThatNeedThemWhole() {
        ToyOcs ocs = ToyOcs.logical(4, 2, 6, DeviceKind.TWO_SIDED, 1);
        ocs.wishTraffic("halves", stagesOfEight(1, 1));
        ocs.settle();
        SliceId job = ocs.wishTraffic("uneven", stagesOfEight(3, 2));
        Deliberation rest = ocs.settle();
        assertThat(placement(rest, job)).isInstanceOf(Placement.Placed.class);
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
    }

    @Test
    void namesThePodsThatNoSwitchJoins() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 4, DeviceKind.TWO_SIDED, 1);
        ocs.wiring.wireOnly(List.of(List.of(3), List.of(3), List.of(0, 1, 2), List.of(0, 1, 2)));
        SliceId job = ocs.wishTraffic("apart", stagesOfEight(2, 1));
        assertThat(placement(ocs.settle(), job))
                .isInstanceOfSatisfying(
                        Placement.Unplaced.class,
                        unplaced -> assertThat(unplaced.message())
                                .isEqualTo(
                                        "the free ports of its pods are on different switches: of 4 pairs of pods that"
                                                + " talk 2 miss a switch with a free port of each, pod-02 and pod-03; pod-01 and"
                                                + " pod-03; no other pods with room were found that free ports join"));
    }

    /** Two replicas; a stage is a node of eight GPUs. */
    private static Demand.Traffic stagesOfEight(int stages, int stagesPerPod) {
        return Gpt7b.traffic(Parallelism.ofDegrees(8, stages, 2, 1, 1), new Batch(8, 1, 4096, true), stagesPerPod);
    }

    @Test
    void asksOnceAndNeverAgain() {
        ToyOcs ocs = ToyOcs.logical(8, 1, 4, DeviceKind.ANY_TO_ANY, 1);
        ocs.wishTraffic("one", gpt7b(2));
        ocs.settle();
        ocs.wishTraffic("two", gpt7b(2));
        ocs.settle();
        assertThat(ocs.asked).hasSize(1);
        ocs.answers.clear();
        ocs.answering = false;
        assertThat(ocs.step().questions()).isEmpty();
    }

    @Test
    void nothingWaitsWhileAQuestionIsOpen() {
        ToyOcs ocs = ToyOcs.logical(8, 1, 4, DeviceKind.ANY_TO_ANY, 1);
        SliceId first = ocs.wishTraffic("one", gpt7b(2));
        ocs.settle();
        ocs.answering = false;
        SliceId second = ocs.wishTraffic("two", gpt7b(1, 1));
        Deliberation waiting = ocs.step();
        assertThat(waiting.questions()).hasSize(1);
        assertThat(waiting.decision()).isInstanceOf(Decision.Rest.class);
        assertThat(((Placement.Unplaced) placement(waiting, second)).reason()).isEqualTo(Reason.SOLVING);
        assertThat(placement(waiting, first)).isInstanceOf(Placement.Placed.class);
    }

    private static void fail(ToyOcs ocs, Deliberation asking, boolean evenTheShare) {
        asking.questions()
                .forEach((digest, asked) -> ocs.answers.put(
                        digest,
                        evenTheShare
                                ? new TopologyAnswer.Failed("it crashed", Optional.empty())
                                : asked.question().unsolved("it crashed")));
    }

    @Test
    void aJobWhoseSolverFailsGetsCircuitsByTrafficAndSaysSo() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 4, DeviceKind.ANY_TO_ANY, 1);
        ocs.answering = false;
        SliceId job = ocs.wishTraffic("gpt", gpt7b(2));
        fail(ocs, ocs.step(), false);
        Deliberation rest = ocs.settle();
        assertThat(placement(rest, job)).isEqualTo(new Placement.Placed(Optional.of("it crashed")));
        assertThat(rest.slices().get(job).light().qualified())
                .as("%s %s", rest.slices().get(job), ocs.light())
                .isTrue();
        assertThat(recorded(ocs, job).origin().orElseThrow().why()).contains("circuits by traffic: it crashed");
        assertThat(prediction(ocs, job).proved()).isFalse();
        assertThat(prediction(ocs, job).iterationSeconds())
                .isGreaterThan(prediction(ocs, job).lowerBoundSeconds());
        // it stays asked, so that the answer can still come
        assertThat(rest.questions()).hasSize(1);
        assertThat(rest.decision()).isInstanceOf(Decision.Rest.class);
        rest.questions().keySet().forEach(ocs.answers::remove);
        ocs.answering = true;
        assertThat(placement(ocs.settle(), job)).isEqualTo(new Placement.Placed());
    }

    @Test
    void aJobWhoseSolverFailsWithoutAnyCircuitsSaysSo() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 4, DeviceKind.ANY_TO_ANY, 1);
        ocs.answering = false;
        SliceId job = ocs.wishTraffic("gpt", gpt7b(2));
        fail(ocs, ocs.step(), true);
        assertThat(placement(ocs.settle(), job)).isEqualTo(new Placement.Unplaced(Reason.SOLVER_FAILED, "it crashed"));
    }

    /** Its only circuit between two pods is gone: what it has does not join it any more. */
    @Test
    void aJobThatIsPartedIsJoinedByTrafficWhenTheSolverFails() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 4, DeviceKind.ANY_TO_ANY, 1);
        SliceId job = ocs.wishTraffic("gpt", gpt7b(2));
        ocs.settle();
        ocs.answering = false;
        ocs.answers.clear();
        Circuit parted = new Circuit("1", "2");
        String name = ocs.light().circuits().keySet().stream()
                .filter(of -> ocs.light().on(of).contains(parted))
                .findFirst()
                .orElseThrow();
        ocs.fail(name, parted.ingress());
        ocs.settleAfter(HOLD);
        fail(ocs, ocs.step(), false);
        Deliberation rest = ocs.settle();
        assertThat(rest.slices().get(job).light().qualified())
                .as("%s %s", rest.slices().get(job), ocs.light())
                .isTrue();
        assertThat(placement(rest, job)).isEqualTo(new Placement.Placed(Optional.of("it crashed")));
    }

    @Test
    void aFailedPortMovesOnlyItsCircuitWhereThereIsASpare() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 6, DeviceKind.ANY_TO_ANY, 1);
        SliceId job = ocs.wishTraffic("gpt", gpt7b(2));
        ocs.settle();
        SwitchedLight before = ocs.light();
        Prediction then = prediction(ocs, job);
        String name = before.circuits().firstKey();
        Circuit hit = before.on(name).iterator().next();
        ocs.fail(name, hit.ingress());
        Deliberation rest = ocs.settleAfter(HOLD);
        assertThat(placement(rest, job)).isInstanceOf(Placement.Placed.class);
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
        assertThat(prediction(ocs, job).iterationSeconds()).isEqualTo(then.iterationSeconds());
        assertThat(before.minus(ocs.light()).size()).isEqualTo(1);
    }

    @Test
    void whatIsLeftIsSolvedAnewAndReturnsWhenHealed() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 4, DeviceKind.ANY_TO_ANY, 1);
        SliceId job = ocs.wishTraffic("gpt", gpt7b(2));
        ocs.settle();
        double best = prediction(ocs, job).iterationSeconds();
        String name = ocs.light().circuits().firstKey();
        ocs.fail(name, ocs.light().on(name).iterator().next().ingress());
        Deliberation hurt = ocs.settleAfter(HOLD);
        assertThat(hurt.slices().get(job).light().qualified()).isTrue();
        assertThat(placement(hurt, job)).isInstanceOf(Placement.Placed.class);
        assertThat(prediction(ocs, job).iterationSeconds()).isGreaterThan(best);
        assertThat(prediction(ocs, job).loss()).isGreaterThan(0);
        assertThat(prediction(ocs, job).portBudget()).isEqualTo(7);
        ocs.failedPorts.clear();
        ocs.settle();
        ocs.settleAfter(Duration.ofSeconds(40));
        assertThat(prediction(ocs, job).iterationSeconds()).isEqualTo(best);
        assertThat(prediction(ocs, job).loss()).isZero();
        assertThat(ocs.light()).isEqualTo(recorded(ocs, job).circuits());
    }

    @Test
    void returnsToTheBestWhenAllPortsAreHealed() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 2, DeviceKind.TWO_SIDED, 2);
        SliceId job = ocs.wishTraffic("gpt", gpt7b(2));
        ocs.settle();
        double best = prediction(ocs, job).iterationSeconds();
        for (int hurt = 0; hurt < 3; hurt++) {
            List<String> names = List.copyOf(ocs.switches.keySet());
            ocs.fail(names.get(hurt % 2), Integer.toString(1 + 2 * hurt));
            ocs.settleAfter(HOLD);
        }
        ocs.failedPorts.clear();
        ocs.settle();
        ocs.settleAfter(Duration.ofSeconds(40));
        assertThat(prediction(ocs, job).iterationSeconds()).isEqualTo(best);
    }

    @Test
    void aSwitchThatIsLostCostsItsShareOnly() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 8, DeviceKind.ANY_TO_ANY, 1);
        SliceId job = ocs.wishTraffic("gpt", gpt7b(2));
        ocs.settle();
        SwitchedLight before = ocs.light();
        String lost = before.circuits().firstKey();
        ocs.silent.add(lost);
        ocs.dark.add(lost);
        Deliberation rest = ocs.settleAfter(HOLD);
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
        before.minus(ocs.recorded(job))
                .forEach((name, circuit) -> assertThat(name).isEqualTo(lost));
    }

    @Test
    void countsNoCircuitOfASilentSwitchAsLit() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 8, DeviceKind.ANY_TO_ANY, 1);
        ocs.wishTraffic("gpt", gpt7b(2));
        FabricVerdict.Circuits all = ocs.settle().fabrics().get("spine").circuits();
        assertThat(all.lit()).isEqualTo(all.planned());
        String lost = ocs.light().circuits().firstKey();
        int on = ocs.light().on(lost).size();
        ocs.silent.add(lost);
        assertThat(ocs.settle().fabrics().get("spine").circuits())
                .isEqualTo(new FabricVerdict.Circuits(all.planned(), all.planned() - on, 0, 0));
    }

    @Test
    void theGraceOfABrokenNodeBeginsWithAFaultOfTheJob() {
        ToyOcs ocs = ToyOcs.logical(5, 2, 4, DeviceKind.ANY_TO_ANY, 1);
        ocs.grace = Optional.of(HOLD.multipliedBy(3));
        SliceId job =
                ocs.wishTraffic("gpt", gpt7b(2), 0, true, new Workload.Pods(new TreeSet<>(List.of("node-1-0")), false));
        ocs.settle();
        assertThat(recorded(ocs, job).nodes()).contains("node-1-0").doesNotContain("node-4-0", "node-4-1");
        nodeFails(ocs, "node-4-0");
        ocs.settleAfter(HOLD.multipliedBy(10));
        nodeFails(ocs, "node-1-0");
        ocs.settleAfter(HOLD);
        assertThat(recorded(ocs, job).nodes()).contains("node-1-0");
        ocs.settleAfter(HOLD.multipliedBy(4));
        assertThat(recorded(ocs, job).nodes()).doesNotContain("node-1-0");
    }

    /** What others have in the same pod, or nobody, is no fault of the job. */
    @Test
    void theGraceOfABrokenNodeDoesNotBeginWithANeighbourInItsPod() {
        ToyOcs ocs = ToyOcs.logical(5, 3, 4, DeviceKind.ANY_TO_ANY, 1);
        ocs.grace = Optional.of(HOLD.multipliedBy(3));
        SliceId job =
                ocs.wishTraffic("gpt", gpt7b(2), 0, true, new Workload.Pods(new TreeSet<>(List.of("node-1-0")), false));
        ocs.settle();
        assertThat(recorded(ocs, job).nodes()).contains("node-1-0").doesNotContain("node-1-2");
        nodeFails(ocs, "node-1-2");
        ocs.settleAfter(HOLD.multipliedBy(10));
        nodeFails(ocs, "node-1-0");
        ocs.settleAfter(HOLD);
        assertThat(recorded(ocs, job).nodes()).contains("node-1-0");
        ocs.settleAfter(HOLD.multipliedBy(4));
        assertThat(recorded(ocs, job).nodes()).doesNotContain("node-1-0");
    }

    private static void nodeFails(ToyOcs ocs, String node) {
        ocs.nodeSignals.put(node, List.of(new Signal(new Subject.OfNode(node), "NodeNotReady", Duration.ZERO)));
    }

    @Test
    void aNodeThatFailsIsReplacedInItsPodAndNoLightMoves() {
        ToyOcs ocs = ToyOcs.logical(4, 2, 4, DeviceKind.ANY_TO_ANY, 1);
        SliceId job = ocs.wishTraffic("gpt", gpt7b(2));
        ocs.settle();
        SwitchedLight before = ocs.light();
        nodeFails(ocs, "node-1-0");
        ocs.settleAfter(HOLD);
        assertThat(recorded(ocs, job).nodes()).contains("node-1-1").doesNotContain("node-1-0");
        assertThat(ocs.light()).isEqualTo(before);
    }

    @Test
    void saysHowManyPortsAreMissingAndWhere() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 1, DeviceKind.ANY_TO_ANY, 1);
        SliceId job = ocs.wishTraffic("gpt", gpt7b(2));
        Deliberation rest = ocs.settle();
        assertThat(((Placement.Unplaced) placement(rest, job)).message())
                .contains("a pod talks to 2 others and no pod has more than 1 port: 1 missing")
                .endsWith(Placement.Unplaced.NEVER_FITS);
    }

    @Test
    void saysWhichPodHasOtherPortsThanAreWired() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 4, DeviceKind.ANY_TO_ANY, 1);
        ocs.pods.set(2, new OcsPod(ToyOcs.pod(2), 2, 8, 5, ocs.pods.get(2).nodes(), true));
        SliceId job = ocs.wishTraffic("gpt", gpt7b(2));
        Placement.Unplaced unplaced = (Placement.Unplaced) placement(ocs.settle(), job);
        assertThat(unplaced.reason()).isEqualTo(Reason.INVALID_WIRING);
        assertThat(unplaced.message()).contains("pod pod-02 has 5 ports").contains("wired to 4 of it");
    }

    @Test
    void saysWhenNoPodHoldsAStage() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 4, DeviceKind.ANY_TO_ANY, 1);
        Demand.Traffic wide = Gpt7b.traffic(Parallelism.ofDegrees(16, 2, 1, 1, 1), new Batch(8, 1, 4096, true), 1);
        SliceId job = ocs.wishTraffic("wide", wide);
        assertThat(((Placement.Unplaced) placement(ocs.settle(), job)).message())
                .contains("a stage takes 16 GPUs, the smallest pod has 8");
    }

    @Test
    void saysWhenThereAreMoreStagesThanPods() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 4, DeviceKind.ANY_TO_ANY, 1);
        SliceId job = ocs.wishTraffic("gpt", gpt7b(1));
        assertThat(((Placement.Unplaced) placement(ocs.settle(), job)).message())
                .contains("take 8 pods; fabric spine has 4");
    }

    /** Half a pod of two nodes. */
    private static Demand.Traffic half() {
        return Gpt7b.traffic(Parallelism.ofDegrees(4, 4, 2, 1, 1), new Batch(8, 1, 4096, true), 2);
    }

    @Test
    void aJobThatWasLentPortsGivesThemBackToWhoIsOwedThem() {
        ToyOcs ocs = ToyOcs.logical(4, 2, 6, DeviceKind.ANY_TO_ANY, 1);
        SliceId first = ocs.wishTraffic("first", half());
        ocs.settle();
        assertThat(prediction(ocs, first).portBudget()).isEqualTo(12);
        double alone = prediction(ocs, first).iterationSeconds();
        TopologyQuestion whole = ocs.asked.values().iterator().next();
        TopologyQuestion atShare = new TopologyQuestion(
                whole.iteration(),
                whole.parallelism(),
                whole.stagesPerPod(),
                whole.circuitGbps(),
                List.of(3, 3),
                whole.goal(),
                whole.timeLimit());
        double share = ((TopologyAnswer.Found) atShare.answer(new DeltaPlanner(), SearchLimits.standard()))
                .prediction()
                .iterationSeconds();
        assertThat(alone).isLessThan(share);
        SliceId second = ocs.wishTraffic("second", half());
        Deliberation both = ocs.settle();
        for (SliceId id : List.of(first, second)) {
            assertThat(both.slices().get(id).light().qualified()).isTrue();
            assertThat(prediction(ocs, id).iterationSeconds())
                    .as("%s at its share", id)
                    .isLessThanOrEqualTo(share * (1 + 1.0 / 600));
        }
        ocs.unwish(first);
        ocs.settle();
        assertThat(prediction(ocs, second).iterationSeconds()).isEqualTo(alone);
    }

    @Test
    void lightUnderRunningPodsStaysAtADeparture() {
        ToyOcs ocs = ToyOcs.logical(4, 2, 8, DeviceKind.ANY_TO_ANY, 1);
        SliceId first = ocs.wishTraffic("first", gpt7b(2));
        ocs.settle();
        Workload running = new Workload.Pods(new TreeSet<>(List.of("node-0-0")), false);
        SliceId second = ocs.wishTraffic("second", gpt7b(2), 0, true, running);
        ocs.settle();
        SwitchedLight before = ocs.recorded(second);
        ocs.unwish(first);
        ocs.settle();
        assertThat(ocs.recorded(second)).isEqualTo(before);
        assertThat(ocs.light()).isEqualTo(before);
    }

    /**
     * Of an attempt that a person let go by force nothing is recorded any more, and its pods hold the GPUs of their
     * nodes.
     */
    @Test
    void aNodeUnderPodsOfAnEarlierAttemptIsNotGivenToOthers() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 8, DeviceKind.ANY_TO_ANY, 1);
        SliceId left = ocs.wishTraffic("left", gpt7b(2));
        ocs.slices.put(
                left,
                ocs.slices
                        .get(left)
                        .but()
                        .wanted(false)
                        .workload(new Workload.Pods(
                                new TreeSet<>(), false, new TreeMap<>(), new TreeSet<>(List.of("node-0-0"))))
                        .build());
        SliceId other = ocs.wishTraffic("other", gpt7b(2));
        assertThat(placement(ocs.settle(), other)).isInstanceOf(Placement.Unplaced.class);
        ocs.slices.put(
                left,
                ocs.slices.get(left).but().workload(new Workload.LightOnly()).build());
        assertThat(placement(ocs.settle(), other)).isInstanceOf(Placement.Placed.class);
    }
}
