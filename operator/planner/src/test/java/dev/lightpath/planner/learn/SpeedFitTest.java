package dev.lightpath.planner.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.lightpath.planner.ask.Iteration;
import dev.lightpath.planner.ask.Speeds;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.iteration.Parallelism;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SpeedFitTest {
    private static final Learnt NOTHING = new Learnt.Nothing("nothing was measured");
    private static final List<Integer> FEW = List.of(1, 2, 2);
    private static final List<Integer> MANY = List.of(4, 4, 4);

    /** Two pods and two replicas, where both computing and gradients matter. */
    private final IterationModel model =
            QuestionModel.of(question(0.010, 2e8, 4e9)).orElseThrow();

    private static TopologyQuestion question(double forwardSeconds, double pipelineBytes, double dataBytes) {
        return new TopologyQuestion(
                new Iteration.OfProfile(4, forwardSeconds, 2 * forwardSeconds, pipelineBytes, dataBytes),
                Parallelism.ofDegrees(8, 4, 2, 1, 1),
                2,
                400,
                List.of(16, 16),
                Goal.fewestPorts(Algorithm.JOINT, 0),
                Duration.ofSeconds(1));
    }

    private static MeasuredCircuits measured(List<Integer> circuits, double... seconds) {
        List<Double> all = new ArrayList<>();
        for (double each : seconds) {
            all.add(each);
        }
        return new MeasuredCircuits(circuits, all);
    }

    private MeasuredCircuits thrice(List<Integer> circuits, Speeds truth) {
        double seconds = model.seconds(truth, circuits);
        return new MeasuredCircuits(circuits, Collections.nCopies(3, seconds));
    }

    @Test
    void anIterationAtHalfOfBothSpeedsTakesTwiceAsLong() {
        assertThat(model.seconds(new Speeds(0.5, 0.5), FEW))
                .isCloseTo(2 * model.seconds(Speeds.BELIEVED, FEW), within(1e-9));
    }

    @Test
    void findsLinksThatAreHalfAsFast() {
        Speeds truth = new Speeds(1, 0.5);
        Learnt learnt = SpeedFit.of(model, List.of(thrice(FEW, truth), thrice(MANY, truth)), NOTHING);
        assertThat(learnt.speeds().compute()).isCloseTo(1, within(0.01));
        assertThat(learnt.speeds().link()).isCloseTo(0.5, within(0.01));
    }

    @Test
    void findsSlowGpusAndSlowerLinks() {
        Speeds truth = new Speeds(0.7, 0.5);
        Learnt learnt = SpeedFit.of(model, List.of(thrice(FEW, truth), thrice(MANY, truth)), NOTHING);
        assertThat(learnt.speeds().compute()).isCloseTo(0.7, within(0.01));
        assertThat(learnt.speeds().link()).isCloseTo(0.5, within(0.01));
    }

    @Test
    void tellsOnlyTheSpeedOfGpusOfOneSetOfCircuits() {
        Learnt learnt = SpeedFit.of(model, List.of(thrice(FEW, new Speeds(0.7, 1))), NOTHING);
        assertThat(learnt)
                .isInstanceOfSatisfying(
                        Learnt.GpusIfLinksHold.class,
                        gpus -> assertThat(gpus.compute()).isCloseTo(0.7, within(0.01)));
        assertThat(learnt.speeds()).isEqualTo(Speeds.BELIEVED);
    }

    @Test
    void waitsForThreeMeasurements() {
        assertThat(SpeedFit.of(model, List.of(measured(FEW, 1, 1)), NOTHING)).isInstanceOf(Learnt.Nothing.class);
    }

    @Test
    void oneOfThreeMeasurementsMayBeAnything() {
        Speeds truth = new Speeds(1, 0.5);
        double few = model.seconds(truth, FEW);
        double many = model.seconds(truth, MANY);
        Learnt learnt = SpeedFit.of(
                model, List.of(measured(FEW, few, 900 * few, few), measured(MANY, many / 900, many, many)), NOTHING);
        assertThat(learnt.speeds().link()).isCloseTo(0.5, within(0.01));
    }

    @Test
    void doesNotTellGpusFromLinksWhereTheLinksHideBehindTheComputing() {
        IterationModel hidden = QuestionModel.of(question(10, 1e3, 1e3)).orElseThrow();
        double seconds = hidden.seconds(new Speeds(0.5, 1), FEW);
        Learnt learnt = SpeedFit.of(
                hidden,
                List.of(measured(FEW, seconds, seconds, seconds), measured(MANY, seconds, seconds, seconds)),
                NOTHING);
        assertThat(learnt)
                .isInstanceOfSatisfying(
                        Learnt.GpusIfLinksHold.class,
                        gpus -> assertThat(gpus.compute()).isCloseTo(0.5, within(0.01)));
    }

    @Test
    void keepsWhatItLearntWhileThatExplainsTheMeasurements() {
        Learnt held = new Learnt.Both(new Speeds(1, 0.5));
        Speeds near = new Speeds(0.95, 0.48);
        assertThat(SpeedFit.of(model, List.of(thrice(FEW, near), thrice(MANY, near)), held))
                .isSameAs(held);
        Speeds far = new Speeds(1, 0.25);
        assertThat(SpeedFit.of(model, List.of(thrice(FEW, far), thrice(MANY, far)), held)
                        .speeds()
                        .link())
                .isCloseTo(0.25, within(0.01));
    }

    /** Three sets that no speeds explain well: what is left of the misfit swings around the limit. */
    @Test
    void anEstimateAtItsLimitDoesNotFlicker() {
        Speeds truth = new Speeds(0.8, 0.5);
        List<Integer> third = List.of(2, 4, 4);
        double steady = model.seconds(truth, third);
        double off = 1;
        while (SpeedFit.of(model, three(truth, third, steady * off), NOTHING) instanceof Learnt.Both) {
            off += 0.005;
            assertThat(off).as("a set that does not fit").isLessThan(2);
        }
        Learnt held = SpeedFit.of(model, three(truth, third, steady * (off - 0.02)), NOTHING);
        assertThat(held).isInstanceOf(Learnt.Both.class);
        int changes = 0;
        for (int round = 0; round < 40; round++) {
            double swing = off + (round % 2 == 0 ? 0.02 : -0.02) + round % 3 * 0.002;
            Learnt next = SpeedFit.of(model, three(truth, third, steady * swing), held);
            changes += next.speeds().equals(held.speeds()) ? 0 : 1;
            held = next;
        }
        assertThat(changes).isLessThan(2);
        assertThat(SpeedFit.of(model, three(truth, third, steady * 2), held).speeds())
                .as("far beyond the limit nothing is held")
                .isEqualTo(Speeds.BELIEVED);
    }

    private List<MeasuredCircuits> three(Speeds truth, List<Integer> third, double seconds) {
        return List.of(measured(third, seconds, seconds, seconds), thrice(FEW, truth), thrice(MANY, truth));
    }

    @Test
    void worksOnNothingThatNoSpeedsExplain() {
        Learnt learnt =
                SpeedFit.of(model, List.of(measured(FEW, 0.1, 0.1, 0.1), measured(MANY, 0.9, 0.9, 0.9)), NOTHING);
        assertThat(learnt.speeds()).isEqualTo(Speeds.BELIEVED);
    }

    @Test
    void refusesATimeThatIsNone() {
        assertThatThrownBy(() -> measured(FEW, Double.NaN)).hasMessageContaining("NaN");
        assertThatThrownBy(() -> measured(FEW, 0)).hasMessageContaining("allowed: a finite number above 0");
    }

    @Test
    void fitsNoIterationThatIsTooLong() {
        TopologyQuestion long32k = new TopologyQuestion(
                new Iteration.OfProfile(8192, 0.01, 0.02, 1e6, 1e6),
                Parallelism.ofDegrees(8, 4, 2, 1, 1),
                2,
                400,
                List.of(16, 16),
                Goal.fewestPorts(Algorithm.JOINT, 0),
                Duration.ofSeconds(1));
        assertThat(QuestionModel.of(long32k)).isEmpty();
    }

    /** Truths are drawn; each measurement is off by 3 percent, in half of the sets one of five by anything. */
    @Test
    void recoversTheTruthFromNoisyMeasurements() {
        long seed = 20261129;
        Random random = new Random(seed);
        int known = 0;
        for (int world = 0; world < 60; world++) {
            Speeds truth = new Speeds(Math.exp(random.nextGaussian() * 0.5), Math.exp(random.nextGaussian() * 0.5));
            List<MeasuredCircuits> sets = List.of(noisy(FEW, truth, random, 0.5), noisy(MANY, truth, random, 0.5));
            Learnt learnt = SpeedFit.of(model, sets, NOTHING);
            if (learnt instanceof Learnt.Both both) {
                known++;
                String where = "seed " + seed + ", world " + world + ", truth " + truth + ", learnt " + both;
                assertThat(both.speeds().link() / truth.link()).as(where).isBetween(0.6, 1.67);
                for (List<Integer> other : List.of(FEW, MANY, List.of(2, 2, 2), List.of(2, 4, 4))) {
                    assertThat(model.seconds(both.speeds(), other) / model.seconds(truth, other))
                            .as(where)
                            .isBetween(0.88, 1.12);
                }
            }
        }
        assertThat(known)
                .as("worlds in which both speeds are known, seed " + seed)
                .isGreaterThan(30);
    }

    /** What was learnt changes only if the truth does. */
    @Test
    void noiseDoesNotChangeWhatWasLearnt() {
        long seed = 29112026;
        Random random = new Random(seed);
        for (int world = 0; world < 20; world++) {
            Speeds truth = new Speeds(Math.exp(random.nextGaussian() * 0.3), Math.exp(random.nextGaussian() * 0.3));
            Learnt held = NOTHING;
            int changes = 0;
            for (int round = 0; round < 40; round++) {
                Learnt next =
                        SpeedFit.of(model, List.of(noisy(FEW, truth, random, 0), noisy(MANY, truth, random, 0)), held);
                changes += next.speeds().equals(held.speeds()) ? 0 : 1;
                held = next;
            }
            assertThat(changes)
                    .as("seed " + seed + ", world " + world + ", truth " + truth)
                    .isLessThan(2);
        }
    }

    /** @param outliers in how many sets one of five may be anything */
    private MeasuredCircuits noisy(List<Integer> circuits, Speeds truth, Random random, double outliers) {
        List<Double> seconds = new ArrayList<>();
        double exact = model.seconds(truth, circuits);
        int wrong = random.nextDouble() < outliers ? random.nextInt(5) : -1;
        for (int i = 0; i < 5; i++) {
            seconds.add(exact * (i == wrong ? Math.exp(random.nextGaussian() * 2) : 1 + 0.03 * random.nextGaussian()));
        }
        return new MeasuredCircuits(circuits, seconds);
    }
}
