package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.ask.Speeds;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.learn.Learnt;
import dev.lightpath.planner.learn.MeasuredCircuits;
import dev.lightpath.planner.learn.QuestionModel;
import dev.lightpath.planner.learn.SpeedFit;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.SliceId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Circuits of a job whose GPUs or links are not as fast as was believed. */
class OcsLearntSpeedsTest {
    /** Two replicas of two stages, each in a pod of its own: by half as fast links one more circuit pays. */
    private static final Demand.Traffic TRAFFIC =
            Gpt7b.traffic(Parallelism.ofDegrees(4, 2, 2, 1, 1), new Batch(16, 1, 4096, true), OptionalInt.of(1), 0.01);

    private final ToyOcs ocs = ToyOcs.logical(4, 1, 4, DeviceKind.TWO_SIDED, 1);
    private final SliceId job = ocs.wishTraffic("job", TRAFFIC);

    private Prediction prediction() {
        return ocs.ledger.get(job).allocation().orElseThrow().prediction().orElseThrow();
    }

    private long revision() {
        return ocs.ledger.get(job).allocation().orElseThrow().revision();
    }

    private void learn(Speeds speeds) {
        ocs.slices.put(job, ocs.slices.get(job).learnt(speeds));
    }

    private static QuestionModel model() {
        return QuestionModel.of(new TopologyQuestion(
                        TRAFFIC.iteration(),
                        TRAFFIC.parallelism(),
                        1,
                        400,
                        List.of(4, 4),
                        TRAFFIC.goal(),
                        TRAFFIC.timeLimit()))
                .orElseThrow();
    }

    @Test
    void circuitsAreChosenByWhatWasLearnt() {
        ocs.reconfigure(job, Reconfiguration.LIVE);
        ocs.settle();
        assertThat(prediction().circuits()).containsExactly(1, 3, 2);
        Speeds half = new Speeds(1, 0.5);
        learn(half);
        ocs.settle();
        assertThat(prediction().circuits()).containsExactly(1, 3, 3);
        assertThat(prediction().iterationSeconds())
                .isEqualTo(model().seconds(half, List.of(1, 3, 3)), Offset.offset(1e-9));
        assertThat(ocs.light())
                .isEqualTo(ocs.ledger.get(job).allocation().orElseThrow().circuits());
        long revision = revision();
        assertThat(ocs.settle().questions()).isEmpty();
        assertThat(revision()).isEqualTo(revision);
    }

    @Test
    void circuitsThatAreBestAsTheyAreOnlyGetAnotherPrediction() {
        ocs.settle();
        Prediction was = prediction();
        long revision = revision();
        learn(new Speeds(0.5, 0.5));
        ocs.settle();
        assertThat(prediction().circuits()).isEqualTo(was.circuits());
        assertThat(prediction().iterationSeconds()).isEqualTo(2 * was.iterationSeconds(), Offset.offset(1e-9));
        assertThat(prediction().loss()).isEqualTo(0, Offset.offset(1e-9));
        assertThat(revision()).isEqualTo(revision + 1);
        ocs.settle();
        assertThat(revision()).isEqualTo(revision + 1);
    }

    @Test
    void predictionsAtOtherSpeedsAreComparedByTheSpeedsOfToday() {
        ocs.settle();
        Prediction believed = prediction();
        learn(new Speeds(0.5, 0.5));
        ocs.settle();
        learn(Speeds.BELIEVED);
        ocs.settle();
        assertThat(prediction().circuits()).isEqualTo(believed.circuits());
        assertThat(prediction().iterationSeconds()).isEqualTo(believed.iterationSeconds(), Offset.offset(1e-9));
    }

    /** A truth that stays, measured with 3 percent of noise, moves light for no choice of circuits twice. */
    @Test
    void noiseMovesNoCircuitTwice() {
        long seed = 2711;
        Random random = new Random(seed);
        int learnt = 0;
        for (int world = 0; world < 6; world++) {
            Speeds truth = new Speeds(Math.exp(random.nextGaussian() * 0.4), Math.exp(random.nextGaussian() * 0.4));
            OcsLearntSpeedsTest one = new OcsLearntSpeedsTest();
            learnt += one.live(truth, random, "seed " + seed + ", world " + world + ", truth " + truth) ? 1 : 0;
        }
        assertThat(learnt).as("worlds in which both speeds were learnt").isPositive();
    }

    private boolean live(Speeds truth, Random random, String where) {
        ocs.reconfigure(job, Reconfiguration.LIVE);
        ocs.settle();
        QuestionModel model = model();
        Map<List<Integer>, List<Double>> measured = new LinkedHashMap<>();
        Learnt held = new Learnt.Nothing("nothing was measured");
        for (int i = 0; i < 3; i++) {
            measure(truth, random, model, measured);
        }
        List<String> lost = ocs.light().circuits().keySet().stream().limit(2).toList();
        lost.forEach(ocs.wiring::drain);
        ocs.settleAfter(Duration.ofSeconds(40));
        for (int i = 0; i < 3; i++) {
            measure(truth, random, model, measured);
        }
        lost.forEach(each -> ocs.wiring.drain(each, false));
        ocs.settleAfter(Duration.ofSeconds(40));
        Set<List<Integer>> chosen = new HashSet<>(Set.of(prediction().circuits()));
        int moves = 0;
        for (int round = 0; round < 25; round++) {
            measure(truth, random, model, measured);
            List<MeasuredCircuits> sets = new ArrayList<>();
            measured.forEach((circuits, seconds) -> sets.add(new MeasuredCircuits(circuits, seconds)));
            Collections.reverse(sets);
            held = SpeedFit.of(model, sets, held);
            learn(held.speeds());
            List<Integer> before = prediction().circuits();
            ocs.settle();
            moves += prediction().circuits().equals(before) ? 0 : 1;
            chosen.add(prediction().circuits());
        }
        assertThat(moves).as("%s: chose %s, learnt %s", where, chosen, held).isLessThan(2);
        return held instanceof Learnt.Both;
    }

    private void measure(Speeds truth, Random random, QuestionModel model, Map<List<Integer>, List<Double>> measured) {
        List<Integer> circuits = prediction().circuits();
        List<Double> seconds = measured.computeIfAbsent(circuits, any -> new ArrayList<>());
        seconds.add(model.seconds(truth, circuits) * (1 + 0.03 * random.nextGaussian()));
        if (seconds.size() > 5) {
            seconds.removeFirst();
        }
    }
}
