package dev.lightpath.app.job.measured;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lightpath.app.conditions.Conditions.Verdict;
import dev.lightpath.app.job.measured.Measurements.Told;
import dev.lightpath.app.job.plan.SampleJob;
import dev.lightpath.app.measuring.QueriedTime;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.measurement.MeasuredCircuits;
import dev.lightpath.crds.job.measurement.Measurement;
import dev.lightpath.crds.job.measurement.ToldBy;
import dev.lightpath.planner.ask.Iteration;
import dev.lightpath.planner.ask.Speeds;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.learn.QuestionModel;
import dev.lightpath.reading.LearntReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MeasurementsTest {
    private static final List<Integer> FEW = List.of(1, 1, 1);
    private static final List<Integer> MANY = List.of(1, 3, 3);
    private static final Speeds TRUTH = new Speeds(1, 0.5);

    private static final Measurements.Fitting AT_ONCE = (question, fit) -> Optional.of(fit.get());

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
        Measurements told =
                Measurements.of(value == null ? null : Told.annotated(value), kept, model(circuits), true, AT_ONCE);
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
    void theLeastAndTheMostThatItNamesAreTaken() {
        String message = tell("0", MANY).verdict().orElseThrow().message();
        String bounds = message.substring(message.indexOf(" from ") + 6, message.indexOf(", within"));
        for (String bound : bounds.split(" to ")) {
            assertThat(tell(bound, MANY).verdict())
                    .as(bound)
                    .map(Verdict::holds)
                    .contains(true);
        }
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
        kept = Measurements.of(Told.annotated(value), null, model(MANY), false, AT_ONCE)
                .kept();
        assertThat(tell(value, MANY).kept().iterationSeconds())
                .as("once it is lit, at first")
                .isNull();
        measure(MANY, 1.001);
        List<MeasuredCircuits> counted = kept.circuits();
        String later = Double.toString(Math.round(2e9 * seconds(TRUTH, MANY)) / 1e9);
        kept = Measurements.of(Told.annotated(later), kept, model(MANY), false, AT_ONCE)
                .kept();
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
        Measurement dropped = Measurements.of(Told.annotated(told), kept, other, true, AT_ONCE)
                .kept();
        assertThat(dropped.circuits()).isEmpty();
        assertThat(dropped.learnt()).isNull();
        assertThat(Measurements.of(Told.annotated(told), dropped, other, true, AT_ONCE)
                        .kept()
                        .circuits()
                        .getFirst()
                        .seconds())
                .isEmpty();
    }

    private Measurements query(String value) {
        Measurements told =
                Measurements.of(Told.queried(new QueriedTime("dc", value)), kept, model(MANY), true, AT_ONCE);
        kept = told.kept();
        return told;
    }

    @Test
    void countsWhatAQueryTellsAndSaysSo() {
        query("0.5");
        query("0.501");
        query("0.502");
        assertThat(kept.circuits().getFirst().seconds()).containsExactly("0.5", "0.501", "0.502");
        assertThat(kept.toldBy()).isEqualTo(ToldBy.PROMETHEUS);
        assertThat(query("0.503").verdict().orElseThrow().message())
                .startsWith("an iteration takes 0.501 s by the query of its fabric, ");
        tell("0.8", MANY);
        assertThat(kept.toldBy()).isEqualTo(ToldBy.ANNOTATION);
    }

    @Test
    void aValueOfAQueryThatStaysTheSameCountsOnce() {
        query("0.5");
        Measurement once = kept;
        query("0.5");
        assertThat(kept).isEqualTo(once);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "NaN", "+Inf", "-0.5", "1E+300", "5000", "0.000001"})
    void nonsenseOfAQueryGetsOneLineAndLosesNothing(String value) {
        query("0.4");
        Measurement before = kept;
        Measurements told = query(value);
        assertThat(told.kept()).isEqualTo(before);
        assertThat(told.verdict().orElseThrow().message())
                .startsWith("spec.measurements.prometheus.query of OpticalFabric dc tells '" + value
                        + "', allowed: seconds as a decimal from");
        assertThat(told.verdict()).map(Verdict::reason).contains("InvalidMeasurement");
    }

    /** It has no prediction, and would wait for a word about its measurement without end. */
    @Test
    void aJobWhoseCircuitsDoNotFollowItsTrafficIsToldThatItsMeasurementHasNoEffect() {
        SampleJob ring = new SampleJob().lit();
        assertThat(ring.told().conditions())
                .noneMatch(condition -> condition.getType().equals("Measured"));
        ring.annotations.put("lightpath.dev/iteration-seconds", "0.574");
        assertThat(ring.says(ConditionType.MEASURED)).isEqualTo("False NotSupported");
        assertThat(ring.message(ConditionType.MEASURED))
                .startsWith("metadata.annotations[lightpath.dev/iteration-seconds] is '0.574' and has no effect");
        assertThat(ring.told().measurement()).isNull();
        ring.scaleOut = true;
        assertThat(ring.told().conditions())
                .noneMatch(condition -> condition.getType().equals("Measured"));
    }

    /** A fit takes time: what was learnt stays meanwhile, and nothing is asked twice. */
    @Test
    void whatIsLearntComesOnceItIsFitted() {
        measure(MANY, 1, 1.001);
        List<SpeedFitting.Question> asked = new ArrayList<>();
        Measurements.Fitting later = (question, fit) -> {
            asked.add(question);
            return Optional.empty();
        };
        String third = Double.toString(Math.round(1.002e9 * seconds(TRUTH, MANY)) / 1e9);
        kept = Measurements.of(Told.annotated(third), kept, model(MANY), true, later)
                .kept();
        assertThat(kept.circuits().getFirst().seconds()).hasSize(3);
        assertThat(kept.learnt()).isNull();
        Measurement waits = kept;
        assertThat(Measurements.of(Told.annotated(third), kept, model(MANY), true, later)
                        .kept())
                .isEqualTo(waits);
        assertThat(asked).hasSize(2);
        assertThat(asked.getFirst()).isEqualTo(asked.getLast());
        tell(third, MANY);
        assertThat(kept.learnt()).isNotNull();
        assertThat(kept.circuits()).isEqualTo(waits.circuits());
    }
}
