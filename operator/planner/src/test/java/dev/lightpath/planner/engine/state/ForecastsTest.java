package dev.lightpath.planner.engine.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.lightpath.planner.ask.Iteration;
import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.iteration.TracedIteration;
import dev.lightpath.planner.delta.model.CommunicationTask;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Pod;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.planner.delta.simulation.BuiltIteration;
import dev.lightpath.planner.memory.PassMemory;
import dev.lightpath.planner.memory.PlannerCache;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ForecastsTest {
    private static final TopologyQuestion QUESTION = question(
            new Iteration.OfModel(
                    Preset.GPT_7B.model(), Preset.GPT_7B.workload().batch()),
            List.of(4, 4));

    /** Whoever builds it fails. */
    private static final Iteration NOT_TO_BE_BUILT = new Iteration.OfTrace(new TracedIteration("d", 2, List.of(), "?"));

    private static TopologyQuestion question(Iteration iteration, List<Integer> ports) {
        return new TopologyQuestion(
                iteration,
                Preset.GPT_7B.workload().parallelism(),
                2,
                400,
                ports,
                Goal.fewestPorts(Algorithm.JOINT, 1e-9),
                Duration.ofSeconds(10));
    }

    private static TopologyAnswer.Found answer() {
        return (TopologyAnswer.Found) QUESTION.answer(new DeltaPlanner(), SearchLimits.standard());
    }

    private static PassMemory fresh() {
        return new PassMemory(PlannerCache.nothing());
    }

    @Test
    void anIterationThatAnAnswerBringsIsNotBuilt() {
        TopologyQuestion asked = question(NOT_TO_BE_BUILT, List.of(4, 4));
        Forecasts forecasts = new Forecasts(fresh(), Forecasts.MOST_TRANSFERS);
        assertThatIllegalArgumentException().isThrownBy(() -> forecasts.iteration(asked));
        BuiltIteration built = answer().built().orElseThrow();
        forecasts.learn(asked, new TopologyAnswer.Found(answer().prediction(), Optional.of(built)));
        assertThat(forecasts.iteration(asked)).isSameAs(built);
    }

    @Test
    void isTheSameWhateverPortsTheQuestionLeaves() {
        PassMemory first = fresh();
        TopologyAnswer.Found found = answer();
        new Forecasts(first, Forecasts.MOST_TRANSFERS).learn(QUESTION, found);
        TopologyQuestion fewer = question(QUESTION.iteration(), List.of(3, 4));
        PassMemory second = new PassMemory(first.after());
        Forecasts next = new Forecasts(second, Forecasts.MOST_TRANSFERS);
        assertThat(next.iteration(fewer)).isSameAs(found.built().orElseThrow());
        assertThat(second.after().known(Forecasts.ITERATIONS).workedOut()).isZero();
    }

    @Test
    void saysOfTheAnswersCircuitsWhatTheAnswerSays() {
        TopologyAnswer.Found found = answer();
        for (Forecasts forecasts : List.of(new Forecasts(fresh(), Forecasts.MOST_TRANSFERS), learned(found))) {
            assertThat(forecasts.of(
                            QUESTION,
                            found.prediction().circuits(),
                            found.prediction().lowerBoundSeconds()))
                    .usingRecursiveComparison()
                    .ignoringFields("question", "proved")
                    .isEqualTo(found.prediction());
        }
    }

    @Test
    void comparesNoMoreThanAPassMayAndGoesOnInTheNext() {
        TopologyQuestion longOne =
                question(new Iteration.OfModel(Preset.GPT_7B.model(), new Batch(12_000, 1, 4096, true)), List.of(4, 4));
        int transfers = longOne.build().tasks();
        List<List<Integer>> choices = new ArrayList<>();
        for (int one = 1; one <= 3; one++) {
            for (int other = 1; other <= 3; other++) {
                choices.add(List.of(one, other, 1));
            }
        }
        assertThat((choices.size() - 1L) * transfers).isGreaterThan(Forecasts.MOST_TRANSFERS);
        PlannerCache cache = PlannerCache.nothing();
        Optional<List<Prediction>> compared = Optional.empty();
        int passes = 0;
        while (compared.isEmpty()) {
            PassMemory memory = new PassMemory(cache);
            Forecasts forecasts = new Forecasts(memory, Forecasts.MOST_TRANSFERS);
            compared = forecasts.compared(longOne, choices, 0);
            cache = memory.after();
            assertThat(cache.known(Forecasts.PREDICTIONS).workedOut())
                    .as("pass %d", ++passes)
                    .isBetween(1, Forecasts.MOST_TRANSFERS / transfers + 1);
        }
        assertThat(passes).isGreaterThan(1);
        BuiltIteration built = longOne.build();
        assertThat(compared.orElseThrow())
                .containsExactlyElementsOf(choices.stream()
                        .map(circuits -> longOne.predict(built, circuits, 0))
                        .toList());
    }

    private static Forecasts learned(TopologyAnswer.Found found) {
        Forecasts forecasts = new Forecasts(fresh(), Forecasts.MOST_TRANSFERS);
        forecasts.learn(QUESTION, found);
        return forecasts;
    }

    @Test
    void aFailureBringsWhatItsShareWasFoundFor() {
        PassMemory memory = fresh();
        Forecasts forecasts = new Forecasts(memory, Forecasts.MOST_TRANSFERS);
        TopologyAnswer failed = QUESTION.unsolved("it crashed");
        forecasts.learn(QUESTION, failed.bare());
        assertThat(memory.after().known(Forecasts.ITERATIONS).size()).isZero();
        forecasts.learn(QUESTION, failed);
        assertThat(forecasts.iteration(QUESTION)).isSameAs(failed.built().orElseThrow());
    }

    @Test
    void whatIsKnownIsToldThoughTheIterationIsNotHeldAnyMore() {
        TopologyQuestion asked = question(NOT_TO_BE_BUILT, List.of(4, 4));
        TopologyAnswer.Found found = answer();
        List<Integer> circuits = found.prediction().circuits();
        PassMemory first = fresh();
        Forecasts forecasts = new Forecasts(first, Forecasts.MOST_TRANSFERS);
        forecasts.learn(asked, found);
        assertThat(forecasts.tooLong(asked)).isEmpty();
        Prediction prediction = forecasts.of(asked, circuits, 0);
        long iterations = (32L << 20) / found.built().orElseThrow().bytes() + 1;
        for (int other = 0; other < iterations; other++) {
            Iteration trace = new Iteration.OfTrace(new TracedIteration("other " + other, 2, List.of(), "?"));
            forecasts.learn(question(trace, List.of(4, 4)), found);
        }
        Forecasts next = new Forecasts(new PassMemory(first.after()), Forecasts.MOST_TRANSFERS);
        assertThatIllegalArgumentException().isThrownBy(() -> next.iteration(asked));
        assertThat(next.tooLong(asked)).isEmpty();
        assertThat(next.of(asked, circuits, 0)).isEqualTo(prediction);
        assertThat(next.compared(asked, List.of(circuits), 0)).hasValue(List.of(prediction));
    }

    /** 400 transfers between two pods of which none waits for another, each of other bytes. */
    private static TopologyQuestion manyAtOnce() {
        List<CommunicationTask> tasks = IntStream.range(0, 400)
                .mapToObj(m -> new CommunicationTask(m, "t" + m, 0, 1, 1, 1e6 + m * 1e3, List.of(0), List.of(1)))
                .toList();
        return question(
                new Iteration.OfTrace(TracedIteration.of(DeltaInstance.withGroupPerPair(
                        "at once", 5e10, List.of(new Pod(0, 4, true), new Pod(1, 4, true)), tasks, List.of()))),
                List.of(4, 4));
    }

    @Test
    void aPassSimulatesNoIterationOfManyTransfersAtOnce() {
        PassMemory memory = fresh();
        Forecasts forecasts = new Forecasts(memory, Forecasts.MOST_TRANSFERS);
        assertThat(forecasts.tooLong(manyAtOnce())).hasValue("too many of its transfers are under way at once");
        assertThat(forecasts.tooLong(QUESTION)).isEmpty();
        assertThat(forecasts.compared(manyAtOnce(), List.of(List.of(1), List.of(2)), 0))
                .as("nothing to compare, and nothing to go on with")
                .hasValue(List.of());
        assertThat(memory.after().known(Forecasts.PREDICTIONS).workedOut()).isZero();
    }

    @Test
    void figuresOfManyTransfersAtOnceAreThoseOfTheAnswerWhenTheModelIsAnother() {
        TopologyQuestion question = manyAtOnce();
        Prediction answer = new Prediction(question.digest(), List.of(3), 2, 1, 1, 6, 8, false, 2);
        Prediction old = new Prediction("m1-0", List.of(2), 5, 1, 1, 4, 8, false, 5);
        BuiltIteration built = question.build();
        assertThat(question.anew(old, answer, () -> built).iterationSeconds()).isEqualTo(2);
    }
}
