package dev.lightpath.driver;

import static dev.lightpath.driver.Requests.apply;
import static dev.lightpath.driver.Requests.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.InventoryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.sim.Emulator;
import dev.lightpath.sim.scenario.Scenario;
import dev.lightpath.tracing.Collector;
import dev.lightpath.tracing.NamedTrace;
import dev.lightpath.tracing.TraceHeaders;
import dev.lightpath.tracing.Tracing;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A driver process follows a change under the identifier that its caller names: span, log, audit log and metrics. */
final class TracedChangeTest {
    private static final String SCENARIO = """
            listen: 127.0.0.1:0
            devices:
              - {id: ocs-1, kind: switch, ports: 8, preset: mems}
            """;
    private static final Pattern SERVES = Pattern.compile("\"message\":\"port=(\\d+) http=(\\d+)");
    private static final NamedTrace TRACE = NamedTrace.of("role", "team/llm", "7");

    @TempDir
    private Path directory;

    private Collector collector;
    private Emulator emulator;
    private Process driver;
    private ManagedChannel channel;
    private int http;

    @BeforeEach
    void start() throws Exception {
        collector = new Collector();
        emulator = Emulator.start(Scenario.parse("plant.yaml", SCENARIO));
        Files.writeString(directory.resolve("driver.yaml"), """
                listen: 127.0.0.1:0
                http: 127.0.0.1:0
                stateDirectory: state
                adapters: [{kind: emulator, endpoint: "127.0.0.1:%d"}]
                """.formatted(emulator.port()));
        driver = process("LIGHTPATH_LOG_JSON", "true").start();
        Matcher serves =
                Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> SERVES.matcher(log()), Matcher::find);
        channel = EmulatedPlant.channel(Integer.parseInt(serves.group(1)));
        http = Integer.parseInt(serves.group(2));
        // on a busy machine it serves before the emulator has told it of its device
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> InventoryServiceGrpc.newBlockingStub(channel)
                                .listDevices(ListDevicesRequest.getDefaultInstance())
                                .getDevicesCount()
                        == 1);
    }

    private ProcessBuilder process(String name, String value) {
        ProcessBuilder process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        DriverServer.class.getName(),
                        "--config",
                        "driver.yaml")
                .directory(directory.toFile())
                .redirectError(directory.resolve("driver.log").toFile());
        process.environment().put("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint());
        process.environment().put("OTEL_BSP_SCHEDULE_DELAY", "50");
        process.environment().put(name, value);
        return process;
    }

    @AfterEach
    void stop() throws Exception {
        channel.shutdownNow();
        driver.destroy();
        assertThat(driver.waitFor(60, TimeUnit.SECONDS)).isTrue();
        emulator.close();
        collector.close();
    }

    private String log() throws IOException {
        return Files.readString(directory.resolve("driver.log"));
    }

    private CircuitServiceGrpc.CircuitServiceBlockingStub circuits(Metadata headers) {
        return CircuitServiceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(30, TimeUnit.SECONDS)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    private static Metadata traced() {
        try (Tracing tracing = Tracing.silent()) {
            return TraceHeaders.of(tracing.context(TRACE));
        }
    }

    private Span span(String operation) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(
                        () -> collector.spans("lightpath-driver").stream()
                                .filter(each -> Collector.attribute(each, "lightpath.operation")
                                        .equals(operation))
                                .findFirst(),
                        java.util.Optional::isPresent)
                .orElseThrow();
    }

    private String scrape(String accept) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + http + "/metrics"))
                            .header("Accept", accept)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            return answer.headers().firstValue("Content-Type").orElse("") + "\n" + answer.body();
        }
    }

    @Test
    void aChangeHasTheIdentifierOfItsCallerEverywhere() throws Exception {
        var answer = circuits(traced())
                .applyCircuits(apply("ocs-1", "role", 1, "one")
                        .addConnects(key("1->5"))
                        .addConnects(key("2->6"))
                        .build());
        assertThat(answer.getOperation().getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);

        Span span = span("one");
        assertThat(Collector.hex(span.getTraceId())).isEqualTo(TRACE.traceId());
        assertThat(Collector.hex(span.getParentSpanId())).isEqualTo(TRACE.rootId());
        assertThat(Collector.attribute(span, "lightpath.device")).isEqualTo("ocs-1");
        assertThat(Collector.attribute(span, "lightpath.outcome")).isEqualTo("APPLIED");
        assertThat(span.getEventsList().stream()
                        .map(event -> event.getName() + " "
                                + event.getAttributes(0).getValue().getStringValue()))
                .containsExactly("connect 1->5", "connect 2->6");
        assertThat(span.getEventsList())
                .allSatisfy(event -> assertThat(event.getTimeUnixNano())
                        .isBetween(span.getStartTimeUnixNano(), span.getEndTimeUnixNano()));

        String field = "\"traceId\":\"" + TRACE.traceId() + "\"";
        List<String> lines = Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(
                        () -> log().lines()
                                .filter(line -> line.contains(field) && line.endsWith("}"))
                                .toList(),
                        said -> !said.isEmpty());
        assertThat(lines)
                .singleElement()
                .asString()
                .startsWith("{\"timestamp\":")
                .contains("device=ocs-1 operation=one outcome=APPLIED broken=0 made=2 circuits changed");
        assertThat(log().lines()).allMatch(line -> line.startsWith("{"));
        assertThat(Files.readString(directory.resolve("state/audit.log")))
                .contains("\"trace\":\"" + TRACE.traceId() + "\"");

        assertThat(scrape("application/openmetrics-text;version=1.0.0,text/plain;q=0.5"))
                .startsWith("application/openmetrics-text")
                .containsPattern(
                        "lightpath_driver_change_seconds_bucket\\{outcome=\"APPLIED\",replayed=\"false\",le=\"[^\"]+\"} 1"
                                + " # \\{span_id=\"[0-9a-f]{16}\",trace_id=\"" + TRACE.traceId() + "\"}")
                .endsWith("# EOF\n");
        assertThat(scrape("text/plain")).startsWith("text/plain").doesNotContain("trace_id");
    }

    @Test
    void whatIsRefusedIsAFailedSpan() {
        assertThatThrownBy(() -> circuits(traced())
                        .applyCircuits(apply("ocs-1", "role", 1, "bad")
                                .addConnects(key("1->99"))
                                .build()))
                .isInstanceOf(StatusRuntimeException.class);
        Span span = span("bad");
        assertThat(Collector.hex(span.getTraceId())).isEqualTo(TRACE.traceId());
        assertThat(span.getStatus().getCode())
                .isEqualTo(io.opentelemetry.proto.trace.v1.Status.StatusCode.STATUS_CODE_ERROR);
        assertThat(span.getStatus().getMessage()).contains("99");
    }

    @Test
    void aHeaderThatIsNoTraceIsNoneAndHarmsNothing() throws Exception {
        Metadata nonsense = new Metadata();
        nonsense.put(Metadata.Key.of("traceparent", Metadata.ASCII_STRING_MARSHALLER), "00-\"},{-zz-01");
        var answer = circuits(nonsense)
                .applyCircuits(apply("ocs-1", "role", 1, "nonsense")
                        .addConnects(key("1->5"))
                        .build());
        assertThat(answer.getOperation().getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(span("nonsense").getParentSpanId().isEmpty()).isTrue();
    }

    @Test
    void aLogFormatThatIsNoneIsRefusedInOneLine() throws Exception {
        Process other = process("LIGHTPATH_LOG_JSON", "yes please")
                .redirectError(directory.resolve("other.log").toFile())
                .start();
        assertThat(other.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(other.exitValue()).isEqualTo(2);
        assertThat(Files.readString(directory.resolve("other.log")))
                .isEqualTo("LIGHTPATH_LOG_JSON: 'yes please' is not allowed; allowed are true and false\n");
    }
}
