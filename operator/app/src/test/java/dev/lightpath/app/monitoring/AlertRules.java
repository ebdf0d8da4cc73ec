package dev.lightpath.app.monitoring;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The alerts that are shipped. */
final class AlertRules {
    static final Path FILE = DashboardsTest.ROOT.resolve("deploy/kubernetes/monitoring/alerts.yaml");

    /** A rule as it stands in the file. */
    record Alert(String name, String expression, String severity, String summary, String runbookUrl) {}

    private AlertRules() {}

    static List<Alert> all() throws IOException {
        List<Alert> alerts = new ArrayList<>();
        spec().get("groups").forEach(group -> group.get("rules").forEach(rule -> alerts.add(alert(rule))));
        return alerts;
    }

    private static Alert alert(JsonNode rule) {
        return new Alert(
                rule.get("alert").asText(),
                rule.get("expr").asText(),
                rule.at("/labels/severity").asText(),
                rule.at("/annotations/summary").asText(),
                rule.at("/annotations/runbook_url").asText());
    }

    private static JsonNode spec() throws IOException {
        return Serialization.yamlMapper().readTree(FILE.toFile()).get("spec");
    }

    /** The rules as a file that Prometheus itself reads: what the Prometheus operator makes of the object. */
    static String plain() throws IOException {
        return Serialization.yamlMapper().writeValueAsString(Map.of("groups", spec().get("groups")));
    }
}
