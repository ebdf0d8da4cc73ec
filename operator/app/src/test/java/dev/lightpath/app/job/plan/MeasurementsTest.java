package dev.lightpath.app.job.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lightpath.app.conditions.Conditions.Verdict;
import dev.lightpath.crds.job.measurement.MeasuredCircuits;
import dev.lightpath.crds.job.measurement.Measurement;
import dev.lightpath.planner.ask.Iteration;
import dev.lightpath.planner.ask.Speeds;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.learn.QuestionModel;
import dev.lightpath.reading.LearntReader;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MeasurementsTest {
    private static final List<Integer> FEW = List.of(1, 1, 1);
    private static final List<Integer> MANY = List.of(1, 3, 3);
    private static final Speeds TRUTH = new Speeds(1, 0.5);

    private @Nullable Measurement kept;

    private static TopologyQuestion question(int microBatches) {
        return new TopologyQuestion(
                new Iteration.OfProfile(microBatches, 0.010, 0.020, 2e8, 4e9),
                Parallelism.ofDegrees(8, 2, 2, 1, 1),
                1,
                400,
                List.of(16, 16),
                Goal.fewestPorts(Algorithm.JOINT, 0),
                Duration.ofSeconds(1));
    }

    private static double seconds(Speeds speeds, List<Integer> circuits) {
        return QuestionModel.of(question(4)).orElseThrow().seconds(speeds, circuits);
    }

    private static TrafficModel model(List<Integer> circuits) {
        return new TrafficModel(question(4), circuits, seconds(Speeds.BELIEVED, circuits));
    }

    private Measurements tell(@Nullable String value, List<Integer> circuits) {
        Measurements told = Measurements.of(value, kept, model(circuits), true);
        kept = told.kept();
        return told;
    }

    private void measure(List<Integer> circuits, double... shares) {
        for (double share : shares) {
            tell(Double.toString(Math.round(1e9 * share * seconds(TRUTH, circuits)) / 1e9), circuits);
        }
    }

    @Test
    void tellsMeasuredPredictedAndTheirRatio() {
        double twice = 2 * seconds(Speeds.BELIEVED, MANY);
        Measurements told = tell(Double.toString(Math.round(twice * 1e6) / 1e6), MANY);
        assertThat(kept.ratio()).isEqualTo("2");
        assertThat(told.verdict())
                .hasValueSatisfying(verdict -> assertThat(verdict.message())
                        .startsWith(
                                "an iteration takes " + kept.iterationSeconds() + " s, 2 times as long as predicted")
                        .contains("it takes 3 measurements with the same circuits"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0.0", "NaN", "-1", "Infinity", "1e3", "", "abc", "99999", "0.000001", "1,5"})
    void nonsenseGetsOneLineAndLosesNothing(String value) {
        tell("0.4", MANY);
        Measurement before = kept;
        Measurements told = tell(value, MANY);
        assertThat(told.kept()).isEqualTo(before);
        assertThat(told.verdict()).map(Verdict::holds).contains(false);
        assertThat(told.verdict().orElseThrow().message())
                .startsWith("metadata.annotations[lightpath.dev/iteration-seconds] is '")
                .contains("allowed: seconds as a decimal from")
                .doesNotContain("\n");
    }

    @Test
    void keepsNothingOfAJobThatToldOnlyNonsense() {
        Measurements told = tell("NaN", MANY);
        assertThat(told.kept()).isNull();
        assertThat(told.verdict()).isPresent();
    }

    @Test
    void aValueCountsOnce() {
        tell("0.4", MANY);
        Measurement once = kept;
        tell("0.4", MANY);
        assertThat(kept).isEqualTo(once);
    }

    @Test
    void writesNothingForAValueThatIsNearWhatItKnows() {
        measure(MANY, 1, 1.001, 1.002);
        Measurement enough = kept;
        measure(MANY, 1.03, 0.97, 1.04);
        assertThat(kept).isEqualTo(enough);
        measure(MANY, 1.2);
        assertThat(kept).isNotEqualTo(enough);
        assertThat(kept.circuits().getFirst().seconds()).hasSize(4);
    }

    @Test
    void doesNotCountWhatWasToldBeforeTheCircuitsChanged() {
        measure(MANY, 1);
        tell(kept.told(), FEW);
        assertThat(kept.iterationSeconds()).isNull();
        Measurement changed = kept;
        tell(kept.told(), FEW);
        assertThat(kept).isEqualTo(changed);
        measure(FEW, 1);
        assertThat(kept.circuits()).extracting(set -> set.seconds().size()).containsExactly(1, 1);
    }

    @Test
    void doesNotCountWhatIsToldInTheDark() {
        String value = Double.toString(Math.round(1e9 * seconds(TRUTH, MANY)) / 1e9);
        kept = Measurements.of(value, null, model(MANY), false).kept();
        assertThat(tell(value, MANY).kept().iterationSeconds())
                .as("once it is lit, at first")
                .isNull();
        measure(MANY, 1.001);
        List<MeasuredCircuits> counted = kept.circuits();
        String later = Double.toString(Math.round(2e9 * seconds(TRUTH, MANY)) / 1e9);
        kept = Measurements.of(later, kept, model(MANY), false).kept();
        tell(later, MANY);
        assertThat(kept.circuits()).as("once it is lit again").isEqualTo(counted);
    }

    @Test
    void learnsBothSpeedsFromTwoSetsOfCircuits() {
        measure(MANY, 1, 1.001, 1.002);
        assertThat(kept.learnt().linkShare()).isNull();
        assertThat(Double.parseDouble(kept.learnt().computeShare())).isLessThan(1);
        tell(kept.told(), FEW);
        measure(FEW, 1, 1.001, 1.002);
        Speeds learnt = LearntReader.read(kept).speeds();
        assertThat(learnt.compute()).isCloseTo(1, within(0.02));
        assertThat(learnt.link()).isCloseTo(0.5, within(0.01));
        assertThat(kept.lacks()).isNull();
    }

    @Test
    void keepsWhatWasMeasuredWithCircuitsThatReturn() {
        measure(MANY, 1, 1.001, 1.002);
        tell(kept.told(), FEW);
        tell(kept.told(), MANY);
        assertThat(kept.circuits()).hasSize(1);
        assertThat(kept.circuits().getFirst().seconds()).hasSize(3);
        assertThat(kept.iterationSeconds()).isNotNull();
    }

    @Test
    void keepsFourSetsOfFiveTimes() {
        for (int most = 1; most <= 6; most++) {
            List<Integer> circuits = List.of(1, most, most);
            tell(kept == null ? null : kept.told(), circuits);
            measure(circuits, 1, 1.5, 2, 2.5, 3, 3.5, 4);
        }
        assertThat(kept.circuits()).hasSize(Measurement.MOST_SETS);
        assertThat(kept.circuits().getFirst().seconds()).hasSize(5);
    }

    @Test
    void dropsWhatWasMeasuredWithAnotherModel() {
        measure(MANY, 1, 1.001, 1.002);
        String told = kept.told();
        TrafficModel other = new TrafficModel(question(8), MANY, 1);
        Measurement dropped = Measurements.of(told, kept, other, true).kept();
        assertThat(dropped.circuits()).isEmpty();
        assertThat(dropped.learnt()).isNull();
        assertThat(Measurements.of(told, dropped, other, true)
                        .kept()
                        .circuits()
                        .getFirst()
                        .seconds())
                .isEmpty();
    }
}
