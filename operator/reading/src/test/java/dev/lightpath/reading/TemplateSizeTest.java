package dev.lightpath.reading;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.crds.job.TrainingJob;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateSizeTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Test
    void countsTokensNamesAndValues() throws IOException {
        // { 1, "ab" 1+2, [ 1, 12 1+2, "xyz" 1+3, ] 1, } 1
        int extent = 14;
        int rest = TemplateSize.MOST - extent + 1;
        assertThat(TemplateSize.problem(job("{\"ab\": [12, \"xy" + "z".repeat(rest) + "\"]}")))
                .isEmpty();
        assertThat(TemplateSize.problem(job("{\"ab\": [12, \"xy" + "z".repeat(rest + 1) + "\"]}")))
                .contains(
                        "it has 32 KiB; at most 32 KiB are allowed: move what is large into a ConfigMap or the image");
    }

    @Test
    void manySmallObjectsAreLargeToo() throws IOException {
        assertThat(TemplateSize.problem(job("[" + "{\"a\":1},".repeat(87_000) + "1]")))
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"spec\": {\"a\": [1, {}]}}", "[]", "{}", "null", "7", "\"text\"", "true"})
    void readingLeavesTheParserBehindTheTemplateAndKeepsItsSize(String template) throws IOException {
        try (JsonParser parser = MAPPER.createParser("{\"template\": " + template + ", \"next\": 1}")) {
            parser.nextToken();
            parser.nextToken();
            parser.nextToken();
            JsonNode kept = TemplateSize.skip(parser);
            assertThat(kept.isInt()).isTrue();
            assertThat(parser.nextToken()).isEqualTo(JsonToken.FIELD_NAME);
            assertThat(parser.currentName()).isEqualTo("next");
        }
    }

    @Test
    void aJobWithoutTemplateHasNoProblem() throws IOException {
        TrainingJob job = MAPPER.readValue("{\"spec\": {\"priority\": 1}}", TrainingJob.class);
        assertThat(TemplateSize.problem(job)).isEmpty();
        assertThat(TemplateSize.of(job)).isZero();
    }

    private static TrainingJob job(String template) throws IOException {
        return MAPPER.readValue("{\"spec\": {\"workload\": {\"template\": " + template + "}}}", TrainingJob.class);
    }
}
