package dev.lightpath.app.measuring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.OpticalFabricSpec;
import dev.lightpath.crds.fabric.measurement.MeasurementSource;
import dev.lightpath.crds.fabric.measurement.PrometheusQuery;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class QueriedTimesTest {
    private static final JobName LLM = new JobName("team", "llm");
    private static final JobName OTHER = new JobName("team", "other");
    private static final List<String> LIT = List.of("slice 1");
    private static final PrometheusQuery QUERY = query("iteration_seconds");

    private final AtomicLong nanos =
            new AtomicLong(Long.MAX_VALUE - Duration.ofSeconds(100).toNanos());
    private final QueriedTimes times = new QueriedTimes(nanos::get);
    private final List<String> news = new ArrayList<>();
    private int turns;

    @BeforeEach
    void listen() {
        times.listen((job, time) -> news.add(job.name() + " " + time.seconds()));
        times.listenForStanding(() -> turns++);
    }

    private static PrometheusQuery query(String text) {
        return new PrometheusQuery("http://prometheus:9090", text, 60, 300, null);
    }

    private static OpticalFabric fabric(String name, PrometheusQuery query) {
        OpticalFabric fabric = new OpticalFabric();
        fabric.setMetadata(new ObjectMetaBuilder().withName(name).build());
        fabric.setSpec(new OpticalFabricSpec(
                null, null, null, null, null, null, null, query == null ? null : new MeasurementSource(query)));
        return fabric;
    }

    private List<QueriedTimes.Due> due(PrometheusQuery query) {
        return times.due(List.of(fabric("dc", query)));
    }

    private void pass(int seconds) {
        nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }

    private void answer(QueryAnswer answer) {
        due(QUERY).forEach(due -> times.answered(due, answer, nanos.get()));
    }

    private void answer(String seconds) {
        answer(new QueryAnswer.Times(Map.of(LLM, seconds)));
    }

    private Optional<String> counts(List<String> light) {
        return times.of(LLM, "dc", light).map(QueriedTime::seconds);
    }

    @Test
    void asksOnceAnIntervalAndOneAtATime() {
        List<QueriedTimes.Due> first = due(QUERY);
        assertThat(first).hasSize(1);
        pass(120);
        assertThat(due(QUERY)).as("the first is under way").isEmpty();
        times.answered(first.getFirst(), new QueryAnswer.Times(Map.of()), nanos.get());
        pass(QUERY.intervalSeconds() - 1);
        assertThat(due(QUERY)).isEmpty();
        pass(1);
        assertThat(due(QUERY)).hasSize(1);
    }

    @Test
    void asksAnotherQueryAtOnceAndForgetsTheAnswerOfTheOneBefore() {
        List<QueriedTimes.Due> first = due(QUERY);
        PrometheusQuery other = query("another");
        assertThat(due(other)).hasSize(1);
        times.answered(first.getFirst(), new QueryAnswer.Times(Map.of(LLM, "1")), nanos.get());
        assertThat(news).isEmpty();
        assertThat(times.answer("dc", QUERY)).isEmpty();
        assertThat(times.answer("dc", other)).as("not answered yet").isEmpty();
    }

    @Test
    void aFabricWithoutQueryIsNotAsked() {
        assertThat(due(null)).isEmpty();
        answer("1");
        assertThat(times.answer("dc", QUERY)).containsInstanceOf(QueryAnswer.Times.class);
        due(null);
        assertThat(times.answer("dc", QUERY)).isEmpty();
    }

    @Test
    void tellsValuesOfJobsWhoseLightIsNotKnown() {
        answer("1");
        pass(60);
        answer("1");
        pass(60);
        answer(new QueryAnswer.Times(Map.of(LLM, "2", OTHER, "3")));
        assertThat(news).containsExactlyInAnyOrder("llm 1", "llm 1", "llm 2", "other 3");
    }

    /** Others need not be read again. */
    @Test
    void tellsValuesThatCountIfLightIsAsItWas() {
        answer("1");
        counts(LIT);
        for (int second = 60; second <= 660; second += 60) {
            pass(60);
            answer("at " + second);
            if (second != 300) {
                counts(LIT);
            }
        }
        assertThat(news)
                .as("what nobody asked for at 300 did not count")
                .containsExactly("llm 1", "llm at 300", "llm at 360", "llm at 660");
    }

    /** Most of what they look back on is the same. */
    @Test
    void valuesThatOverlapCountOnce() {
        answer("1");
        counts(LIT);
        pass(300);
        answer("2");
        assertThat(counts(LIT)).contains("2");
        pass(299);
        answer("3");
        assertThat(counts(LIT)).as("it holds, however often it is asked for").contains("2");
        pass(60);
        answer("4");
        assertThat(counts(LIT)).contains("4");
    }

    @Test
    void aValueCountsOnceTheLightWasAsItIsForTheRangeOfTheQuery() {
        answer("1");
        assertThat(counts(LIT)).isEmpty();
        pass(240);
        answer("2");
        assertThat(counts(LIT)).isEmpty();
        pass(QUERY.rangeSeconds() - 241);
        assertThat(counts(LIT)).isEmpty();
        pass(1);
        assertThat(counts(LIT)).as("asked too early").isEmpty();
        answer("3");
        assertThat(counts(LIT)).contains("3");
        assertThat(times.of(OTHER, "dc", LIT)).isEmpty();
        assertThat(times.of(LLM, "another", LIT)).isEmpty();
    }

    @Test
    void otherLightAndDarknessBeginTheTimeAnew() {
        for (List<String> other : List.of(List.of("slice 2"), List.<String>of())) {
            times.forget();
            answer("1");
            counts(LIT);
            pass(300);
            answer("2");
            assertThat(counts(LIT)).contains("2");
            assertThat(counts(other)).isEmpty();
            assertThat(counts(LIT)).isEmpty();
            pass(299);
            answer("3");
            assertThat(counts(LIT)).isEmpty();
            pass(60);
            answer("4");
            assertThat(counts(LIT)).contains("4");
        }
    }

    @Test
    void anAnswerThatFailsTakesTheOneBeforeAway() {
        answer("1");
        counts(LIT);
        pass(300);
        answer("2");
        assertThat(counts(LIT)).contains("2");
        pass(60);
        answer(new QueryAnswer.Failed("HTTP 503: no answer"));
        assertThat(counts(LIT)).isEmpty();
        assertThat(times.answer("dc", QUERY)).contains(new QueryAnswer.Failed("HTTP 503: no answer"));
    }

    @Test
    void lightIsSteadyWhateverIsAnswered() {
        answer("1");
        counts(LIT);
        pass(100);
        answer(new QueryAnswer.Failed("HTTP 503: no answer"));
        assertThat(counts(LIT)).isEmpty();
        pass(100);
        answer(new QueryAnswer.Times(Map.of(OTHER, "1")));
        assertThat(counts(LIT)).isEmpty();
        pass(100);
        answer("2");
        assertThat(counts(LIT)).contains("2");
    }

    @Test
    void lightThatChangesWhileNothingIsAnsweredBeginsTheTimeAnew() {
        answer("1");
        counts(LIT);
        pass(250);
        answer(new QueryAnswer.Failed("HTTP 503: no answer"));
        List<String> other = List.of("slice 2");
        assertThat(counts(other)).isEmpty();
        pass(250);
        answer("2");
        assertThat(counts(other)).isEmpty();
        pass(60);
        answer("3");
        assertThat(counts(other)).contains("3");
    }

    @Test
    void aJobThatNoAnswerNamesIsForgotten() {
        answer("1");
        counts(LIT);
        for (int i = 0; i < SteadyLight.MOST_MISSES; i++) {
            pass(60);
            answer(new QueryAnswer.Times(Map.of()));
        }
        pass(60);
        answer("2");
        assertThat(counts(LIT)).isEmpty();
    }

    @Test
    void tellsWhenQueriesBeginAndCeaseToFailOrToNameNoJob() {
        answer("1");
        assertThat(turns).isEqualTo(1);
        pass(60);
        answer("2");
        assertThat(turns).as("nothing changed").isEqualTo(1);
        pass(60);
        answer(new QueryAnswer.Failed("why"));
        pass(60);
        answer(new QueryAnswer.Failed("why"));
        assertThat(turns).isEqualTo(2);
        pass(60);
        answer("3");
        assertThat(turns).isEqualTo(3);
        for (int i = 0; i < 2; i++) {
            pass(60);
            answer(new QueryAnswer.Times(Map.of()));
            assertThat(turns).isEqualTo(4);
        }
    }
}
