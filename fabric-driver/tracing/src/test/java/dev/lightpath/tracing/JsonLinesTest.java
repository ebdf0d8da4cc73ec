package dev.lightpath.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Instant;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

class JsonLinesTest {
    private static JsonNode read(String line) throws IOException {
        assertThat(line).endsWith("\n");
        assertThat(line.strip()).doesNotContain("\n");
        return new ObjectMapper().readTree(line);
    }

    private static LogRecord line(Level level, String message) {
        LogRecord line = new LogRecord(level, message);
        line.setLoggerName("dev.lightpath.Some");
        line.setInstant(Instant.parse("2026-01-02T03:04:05.006Z"));
        return line;
    }

    @Test
    void aLineHasTheTraceThatItsThreadIsIn() throws IOException {
        NamedTrace trace = NamedTrace.of("team/llm", "7");
        try (Tracing tracing = Tracing.silent();
                TraceScope scope = TraceScope.of(tracing.context(trace))) {
            JsonNode read = read(new JsonLines().format(line(Level.WARNING, "refused")));
            assertThat(read.path("mdc").path("traceId").asText()).isEqualTo(trace.traceId());
            assertThat(read.path("level").asText()).isEqualTo("WARN");
            assertThat(read.path("loggerName").asText()).isEqualTo("dev.lightpath.Some");
            assertThat(read.path("timestamp").asText()).isEqualTo("2026-01-02T03:04:05.006Z");
        }
        assertThat(read(new JsonLines().format(line(Level.INFO, "later")))
                        .path("mdc")
                        .size())
                .isZero();
    }

    @Test
    void scopesWithinEachOtherGiveBackWhatWasBefore() throws IOException {
        try (Tracing tracing = Tracing.silent();
                TraceScope outer = TraceScope.of(tracing.context(NamedTrace.of("outer")))) {
            try (TraceScope inner = TraceScope.of(tracing.context(NamedTrace.of("inner")))) {
                assertThat(TraceScope.traceId())
                        .isEqualTo(NamedTrace.of("inner").traceId());
            }
            assertThat(read(new JsonLines().format(line(Level.INFO, "x")))
                            .path("mdc")
                            .path("traceId")
                            .asText())
                    .isEqualTo(NamedTrace.of("outer").traceId());
        }
    }

    @Test
    void hostileTextStaysInItsField() throws IOException {
        String hostile = "\"},{\"level\":\"ERROR\"}\n\u0000\u001b[31m \ud800 {0}";
        JsonNode read = read(new JsonLines().format(line(Level.INFO, hostile)));
        assertThat(read.path("level").asText()).isEqualTo("INFO");
        assertThat(read.path("message").asText()).startsWith("\"},{\"level\":\"ERROR\"}\n\u0000\u001b[31m ");
    }

    @Test
    void whatWasThrownIsAFieldOfTheSameLine() throws IOException {
        LogRecord line = line(Level.SEVERE, "failed");
        line.setThrown(new IllegalStateException("two\nlines"));
        JsonNode read = read(new JsonLines().format(line)).path("exception");
        assertThat(read.path("exceptionType").asText()).isEqualTo("java.lang.IllegalStateException");
        assertThat(read.path("message").asText()).isEqualTo("two\nlines");
        assertThat(read.path("stackTrace").asText()).contains("JsonLinesTest");
    }
}
