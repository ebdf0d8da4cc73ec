package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.tracing.Collector;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A repair can be followed by one identifier: logs and traces of operator and driver, audit log, and metrics. */
@ExtendWith(ApiServerExtension.class)
class TracedRepairIT {
    private static final String OPERATOR = "lightpath-operator";
    private static final String DRIVER = "lightpath-driver";

    @TempDir
    private Path folder;

    private Collector collector;
    private Installation all;

    @BeforeEach
    void install(ApiServer server) throws Exception {
        collector = new Collector();
        all = new Installation(
                server,
                folder,
                8,
                "",
                List.of(),
                Map.of(
                        "OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint(),
                        "OTEL_BSP_SCHEDULE_DELAY", "100",
                        "LIGHTPATH_LOG_JSON", "true"));
        all.start();
    }

    @AfterEach
    void uninstall() throws IOException {
        try (Installation ending = all) {
            all.client.rbac().clusterRoleBindings().withName("traced-scraper").delete();
            all.delete("traced");
            all.awaitNothingLeft();
        } finally {
            collector.close();
        }
    }

    private Span span(String service, String name) {
        List<Span> found = new ArrayList<>();
        all.eventually(name + " of " + service, () -> {
            found.clear();
            collector.spans(service).stream()
                    .filter(span -> span.getName().equals(name))
                    .forEach(found::add);
            assertThat(found).isNotEmpty();
        });
        return found.getFirst();
    }

    private List<JsonNode> log() throws IOException {
        List<JsonNode> lines = new ArrayList<>();
        for (String line : Files.readAllLines(folder.resolve("operator.log"))) {
            assertThat(line).startsWith("{");
            lines.add(new ObjectMapper().readTree(line));
        }
        return lines;
    }

    /** What somebody reads who may read all. */
    private String scrape() throws Exception {
        String token = all.token("default", "traced-scraper");
        all.client
                .resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName("traced-scraper")
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "cluster-admin")
                        .addNewSubject("", "ServiceAccount", "traced-scraper", "default")
                        .build())
                .serverSideApply();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create(all.url("/q/metrics")))
                                    .header("Authorization", "Bearer " + token)
                                    .header("Accept", "application/openmetrics-text;version=1.0.0,text/plain;q=0.5")
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    @Test
    void oneIdentifierFromTheFaultToTheLight() throws Exception {
        all.apply("traced", "{model: {preset: gpt-7b}, parallelism: {tensor: 8, data: 2}, scaleUp: {fabric: ring-a}}");
        all.awaitReady("traced");
        String node = all.slices()
                .getFirst()
                .getStatus()
                .allocation()
                .groups()
                .getFirst()
                .nodes()
                .getFirst();
        all.mark(node, Map.of("lightpath.dev/faulty", "true"));
        Span repair = span(OPERATOR, "repair");
        all.awaitReady("traced");
        all.heal(node);
        String id = Collector.hex(repair.getTraceId());
        assertThat(Collector.attribute(repair, "lightpath.job")).isEqualTo("default/traced");
        assertThat(Collector.attribute(repair, "lightpath.why")).contains(node);
        assertThat(repair.getParentSpanId().isEmpty()).isTrue();
        assertThat(Collector.hex(span(OPERATOR, "place").getTraceId())).isNotEqualTo(id);

        all.eventually("all spans came", () -> {
            List<Span> stages = ofTrace(OPERATOR, "stage", id);
            List<Span> asked = ofTrace(OPERATOR, "change device", id);
            List<Span> done = ofTrace(DRIVER, "ApplyCircuits", id);
            assertThat(stages)
                    .isNotEmpty()
                    .allMatch(span -> span.getParentSpanId().equals(repair.getSpanId()));
            assertThat(asked)
                    .isNotEmpty()
                    .allMatch(span ->
                            stages.stream().anyMatch(stage -> stage.getSpanId().equals(span.getParentSpanId())));
            assertThat(done)
                    .hasSameSizeAs(asked)
                    .allMatch(span -> span.getEventsCount() > 0)
                    .allMatch(span ->
                            asked.stream().anyMatch(each -> each.getSpanId().equals(span.getParentSpanId())));
        });

        all.eventually("logs tell of it", () -> {
            List<String> said = log().stream()
                    .filter(line -> line.path("mdc").path("traceId").asText().equals(id))
                    .map(line -> line.path("message").asText())
                    .toList();
            assertThat(said).anyMatch(text -> text.contains("recording an allocation") && text.contains(node));
            assertThat(said).anyMatch(text -> text.contains("changing light"));
            assertThat(said).anyMatch(text -> text.contains("its light is there"));
            assertThat(Files.readString(folder.resolve("driver/audit.log"))).contains("\"trace\":\"" + id + "\"");
        });
        // a role holds a moment after it was written
        all.eventually("metrics tell of it", () -> {
            String metrics = scrape();
            assertThat(metrics).containsPattern("lightpath_fault_to_light_seconds_bucket\\{.*# \\{.*trace_id=\"" + id);
            assertThat(metrics)
                    .containsPattern("lightpath_driver_apply_seconds_bucket\\{.*# \\{.*trace_id=\"[0-9a-f]{32}\"");
        });
    }

    private List<Span> ofTrace(String service, String name, String id) {
        return collector.spans(service).stream()
                .filter(span -> span.getName().equals(name)
                        && Collector.hex(span.getTraceId()).equals(id))
                .toList();
    }
}
