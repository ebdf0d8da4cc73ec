package dev.lightpath.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.opentelemetry.api.trace.Span;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TracingTest {
    private static final NamedTrace TRACE = NamedTrace.of("team/llm", "7");

    @Test
    void spansOfTwoProcessesAreOneTrace() throws IOException {
        try (Collector collector = new Collector()) {
            Map<String, String> environment = Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint());
            Instant from = Instant.parse("2026-01-02T03:04:05.006Z");
            try (Tracing one = Tracing.of("one", environment);
                    Tracing two = Tracing.of("two", environment)) {
                one.start(TRACE, "change", from).end();
                two.tracer()
                        .spanBuilder("stage")
                        .setParent(two.context(TRACE))
                        .startSpan()
                        .end();
            }
            assertThat(collector.spans("one")).singleElement().satisfies(span -> {
                assertThat(Collector.hex(span.getTraceId())).isEqualTo(TRACE.traceId());
                assertThat(Collector.hex(span.getSpanId())).isEqualTo(TRACE.rootId());
                assertThat(span.getParentSpanId().isEmpty()).isTrue();
                assertThat(span.getStartTimeUnixNano()).isEqualTo(from.toEpochMilli() * 1_000_000);
            });
            assertThat(collector.spans("two")).singleElement().satisfies(span -> {
                assertThat(Collector.hex(span.getTraceId())).isEqualTo(TRACE.traceId());
                assertThat(Collector.hex(span.getParentSpanId())).isEqualTo(TRACE.rootId());
                assertThat(Collector.hex(span.getSpanId())).isNotEqualTo(TRACE.rootId());
            });
        }
    }

    @Test
    void whatIsNotSampledIsNotExportedButHasItsIdentifier() throws IOException {
        try (Collector collector = new Collector()) {
            try (Tracing tracing = Tracing.of(
                    "one",
                    Map.of(
                            "OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint(),
                            "OTEL_TRACES_SAMPLER", "parentbased_traceidratio",
                            "OTEL_TRACES_SAMPLER_ARG", "0"))) {
                tracing.start(TRACE, "change", Instant.now()).end();
                Span child = tracing.tracer()
                        .spanBuilder("stage")
                        .setParent(tracing.context(TRACE))
                        .startSpan();
                child.end();
                assertThat(child.getSpanContext().getTraceId()).isEqualTo(TRACE.traceId());
                assertThat(child.getSpanContext().isSampled()).isFalse();
            }
            assertThat(collector.spans("one")).isEmpty();
        }
    }

    @Test
    void withoutAWordInTheEnvironmentOnlyIdentifiersArePassedOn() {
        for (Map<String, String> environment : List.of(
                Map.<String, String>of(),
                Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", " "),
                Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9", "OTEL_SDK_DISABLED", "true"))) {
            try (Tracing tracing = Tracing.of("one", environment)) {
                Span span = tracing.start(TRACE, "change", Instant.now());
                assertThat(span.isRecording()).isFalse();
                assertThat(span.getSpanContext().getTraceId()).isEqualTo(TRACE.traceId());
                try (TraceScope scope = TraceScope.of(tracing.context(TRACE))) {
                    assertThat(TraceScope.traceId()).isEqualTo(TRACE.traceId());
                }
                assertThat(TraceScope.traceId()).isEmpty();
            }
        }
    }

    static List<Arguments> impossible() {
        return List.of(
                arguments("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318", "collector:4318"),
                arguments("OTEL_EXPORTER_OTLP_ENDPOINT", "not an address", "not an address"),
                arguments("OTEL_TRACES_EXPORTER", "jager", "jager"),
                arguments("OTEL_TRACES_SAMPLER", "sometimes", "sometimes"),
                arguments("OTEL_EXPORTER_OTLP_TIMEOUT", "soon", "soon"),
                arguments("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", "OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' is not allowed"));
    }

    @ParameterizedTest
    @MethodSource("impossible")
    void aSettingThatCannotBeIsOneLineAndNothingIsExported(String name, String value, String said) {
        List<LogRecord> lines = new ArrayList<>();
        Handler ear = new Handler() {
            @Override
            public void publish(LogRecord line) {
                lines.add(line);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger root = Logger.getLogger("");
        root.addHandler(ear);
        try (Tracing tracing = Tracing.of(
                "one",
                name.equals("OTEL_EXPORTER_OTLP_ENDPOINT")
                        ? Map.of(name, value)
                        : Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9", name, value))) {
            assertThat(tracing.start(TRACE, "change", Instant.now()).isRecording())
                    .isFalse();
        } finally {
            root.removeHandler(ear);
        }
        assertThat(lines).singleElement().satisfies(line -> {
            assertThat(line.getThrown()).isNull();
            assertThat(line.getMessage()).contains("traces are not exported").contains(said);
        });
    }
}
