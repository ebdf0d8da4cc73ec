package dev.lightpath.app.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The configuration of kube-state-metrics asks for fields that the definitions have. */
class KubeStateMetricsTest {
    private static final Path CONFIG =
            DashboardsTest.ROOT.resolve("deploy/kubernetes/monitoring/kube-state-metrics.yaml");
    private static final Path DEFINITIONS = DashboardsTest.ROOT.resolve("crds/src/main/kubernetes");

    private static JsonNode read(Path file) throws IOException {
        return Serialization.yamlMapper().readTree(file.toFile());
    }

    private static JsonNode schema(String kind) throws IOException {
        String plural = kind.toLowerCase(Locale.ROOT) + (kind.endsWith("Switch") ? "es" : "s");
        return read(DEFINITIONS.resolve(plural + ".lightpath.dev-v1.yaml"))
                .at("/spec/versions/0/schema/openAPIV3Schema");
    }

    /** What stands at a path; of a list, what its items are. Metadata is the API server's. */
    private static JsonNode at(JsonNode schema, JsonNode path) {
        JsonNode at = schema;
        for (JsonNode field : path) {
            at = at.path("properties").path(field.asText());
        }
        return at.has("items") ? at.get("items") : at;
    }

    @Test
    void asksForFieldsThatExist() throws IOException {
        List<String> wrong = new ArrayList<>();
        int asked = 0;
        for (JsonNode resource : read(CONFIG).at("/spec/resources")) {
            String kind = resource.at("/groupVersionKind/kind").asText();
            JsonNode schema = schema(kind);
            List<JsonNode> paths = new ArrayList<>();
            resource.get("labelsFromPath").forEach(path -> {
                if (!path.get(0).asText().equals("metadata")) {
                    paths.add(path);
                }
            });
            for (JsonNode metric : resource.get("metrics")) {
                JsonNode each = metric.get("each");
                JsonNode of = each.has("gauge") ? each.get("gauge") : each.get("info");
                paths.add(of.get("path"));
                JsonNode item = at(schema, of.get("path"));
                of.path("labelsFromPath").forEach(path -> {
                    if (at(item, path).isMissingNode()) {
                        wrong.add(kind + " " + of.get("path") + " " + path);
                    }
                });
            }
            for (JsonNode path : paths) {
                asked++;
                if (at(schema, path).isMissingNode()) {
                    wrong.add(kind + " " + path);
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(asked).isGreaterThan(15);
    }
}
