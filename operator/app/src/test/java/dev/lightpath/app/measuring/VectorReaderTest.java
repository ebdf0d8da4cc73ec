package dev.lightpath.app.measuring;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VectorReaderTest {
    private static final JobName LLM = new JobName("team", "llm");

    private static String row(String labels, String value) {
        return "{\"metric\": {" + labels + "}, \"value\": [1790000000.123, \"" + value + "\"]}";
    }

    private static String labels(String namespace, String name) {
        return "\"namespace\": \"" + namespace + "\", \"job_name\": \"" + name + "\", \"instance\": \"n1\"";
    }

    private static QueryAnswer read(String... rows) {
        return text("{\"status\": \"success\", \"data\": {\"resultType\": \"vector\", \"result\": ["
                + String.join(",", rows) + "]}, \"warnings\": [\"w\"]}");
    }

    private static QueryAnswer text(String body) {
        return VectorReader.read(body.getBytes(StandardCharsets.UTF_8));
    }

    private static String why(QueryAnswer answer) {
        return ((QueryAnswer.Failed) answer).why();
    }

    @Test
    void readsTheTimeOfEachJob() {
        assertThat(read(
                        row(labels("team", "llm"), "0.57432187492837465"),
                        row(labels("other", "llm"), "12"),
                        row("\"namespace\": \"team\"", "7")))
                .isEqualTo(new QueryAnswer.Times(Map.of(LLM, "0.574321875", new JobName("other", "llm"), "12")));
        assertThat(read()).isEqualTo(new QueryAnswer.Times(Map.of()));
    }

    @ParameterizedTest
    @CsvSource({
        "1e-05, 0.00001",
        "1.5e+00, 1.5",
        "100, 100",
        "0, 0",
        "-0.5, -0.5",
        "NaN, NaN",
        "+Inf, +Inf",
        "-Inf, -Inf",
        "1e+300, 1E+300",
        "1234567890123, 1.23456789E+12"
    })
    void writesValuesAsDecimalsWhereTheyAreTimes(String value, String seconds) {
        assertThat(read(row(labels("team", "llm"), value))).isEqualTo(new QueryAnswer.Times(Map.of(LLM, seconds)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "fast", "0x10", "1e", "1,5", "1e99999"})
    void refusesWhatIsNoNumberWithoutRepeatingIt(String value) {
        assertThat(why(read(row(labels("team", "llm"), value)))).isEqualTo("a value of the answer is no number");
    }

    @Test
    void refusesTwoSeriesOfOneJob() {
        assertThat(why(read(row(labels("team", "llm"), "1"), row(labels("team", "llm"), "1"))))
                .contains("several series for one job")
                .doesNotContain("llm");
    }

    @Test
    void refusesSeriesOfWhichNoneSaysItsJob() {
        assertThat(why(read(row("\"pod\": \"secret-0\"", "1"))))
                .contains("has the labels namespace and job_name")
                .doesNotContain("secret");
    }

    @Test
    void aSeriesThatNamesNoJobHidesNoOther() {
        String long63 = "x".repeat(63);
        assertThat(read(
                        row(labels("hostile", "x".repeat(100_000)), "1"),
                        row(labels("x".repeat(64), "llm"), "1"),
                        row(labels("team", "llm"), "12"),
                        row(labels("team", long63), "13")))
                .isEqualTo(new QueryAnswer.Times(Map.of(LLM, "12", new JobName("team", long63), "13")));
        assertThat(read(row(labels("hostile", "x".repeat(5_000)), "1"))).isEqualTo(new QueryAnswer.Times(Map.of()));
    }

    @Test
    void aNamespaceWithMoreSeriesThanAreReadHidesNoOther() {
        String rows = IntStream.rangeClosed(0, VectorReader.MOST_SERIES)
                .mapToObj(i -> row("\"job_name\": \"j" + i + "\", \"namespace\": \"n\"", "1"))
                .collect(Collectors.joining(","));
        assertThat(read(row(labels("team", "llm"), "12"), rows))
                .as("which of its jobs are meant nobody knows")
                .isEqualTo(new QueryAnswer.Times(Map.of(LLM, "12")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "<html>root:x:0:0</html>",
                "{}",
                "{\"status\": \"error\", \"errorType\": \"bad_data\", \"error\": \"secret\"}",
                "{\"status\": \"success\", \"data\": null}",
                "{\"status\": \"success\", \"data\": {\"resultType\": \"matrix\", \"result\": []}}",
                "{\"status\": \"success\", \"data\": {\"resultType\": \"vector\", \"result\": null}}",
                "{\"status\": \"success\", \"data\": {\"resultType\": \"vector\", \"result\": [null]}}",
                "{\"status\": \"success\", \"data\": {\"resultType\": \"vector\", \"result\": [{\"metric\": {\"a\": null}}]}}"
            })
    void refusesWhatIsNoVectorWithoutRepeatingIt(String body) {
        assertThat(why(text(body))).isEqualTo("the answer is no vector as /api/v1/query of a Prometheus gives it");
    }
}
