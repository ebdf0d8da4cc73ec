package dev.lightpath.app.publish.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Alerts and dashboard ask for series that exist, and every alert has its page. */
class MonitoringTest {
    private static final Path ROOT = Path.of(System.getProperty("basedir", "."), "../..");
    private static final Path MONITORING = ROOT.resolve("deploy/kubernetes/monitoring");
    private static final Pattern SERIES = Pattern.compile("lightpath_\\w+");
    private static final Pattern SELECTED = Pattern.compile("(lightpath_\\w+)(\\{[^}]*}|)");
    private static final Pattern PART = Pattern.compile("_(bucket|count|sum)$");

    private static SortedSet<String> documented() throws IOException {
        SortedSet<String> names = named("metrics.md");
        names.addAll(named("driver-contract.md"));
        return names;
    }

    private static SortedSet<String> named(String page) throws IOException {
        return SERIES.matcher(Files.readString(ROOT.resolve("docs/reference").resolve(page)))
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Operator and drivers call some series alike, with other labels: who asks for one has to say whose. */
    private static void assertSaysWhose(String where, String expression) throws IOException {
        SortedSet<String> shared = named("metrics.md");
        shared.retainAll(named("driver-contract.md"));
        assertThat(shared).contains("lightpath_driver_apply_seconds");
        Matcher series = SELECTED.matcher(expression);
        while (series.find()) {
            if (shared.contains(PART.matcher(series.group(1)).replaceFirst(""))) {
                assertThat(series.group(2))
                        .as(where + ": a label that only the operator's series has")
                        .containsPattern("result(=~?\"[^\"]|!=\"\")");
            }
        }
    }

    private static List<JsonNode> alerts() throws IOException {
        List<JsonNode> alerts = new ArrayList<>();
        JsonNode rules = Serialization.yamlMapper()
                .readTree(MONITORING.resolve("alerts.yaml").toFile());
        rules.at("/spec/groups").forEach(group -> group.get("rules").forEach(alerts::add));
        return alerts;
    }

    private static void assertAsksForWhatExists(String where, String expression, SortedSet<String> documented) {
        Matcher series = SERIES.matcher(expression);
        boolean asked = false;
        while (series.find()) {
            asked = true;
            String whole = series.group();
            assertThat(documented.contains(whole)
                            || documented.contains(PART.matcher(whole).replaceFirst("")))
                    .as(where + " asks for " + whole)
                    .isTrue();
        }
        assertThat(asked).as(where + " asks for a series of ours").isTrue();
    }

    @Test
    void alertsAskForSeriesThatExist() throws IOException {
        SortedSet<String> documented = documented();
        for (JsonNode alert : alerts()) {
            assertAsksForWhatExists(
                    alert.get("alert").asText(), alert.get("expr").asText(), documented);
            assertSaysWhose(alert.get("alert").asText(), alert.get("expr").asText());
            assertThat(alert.at("/labels/severity").asText()).isIn("critical", "warning", "info");
            assertThat(alert.at("/annotations/summary").asText()).isNotBlank();
        }
    }

    @Test
    void dashboardAsksForSeriesThatExist() throws IOException {
        SortedSet<String> documented = documented();
        JsonNode dashboard = new ObjectMapper()
                .readTree(MONITORING.resolve("dashboards/lightpath.json").toFile());
        int panels = 0;
        for (JsonNode panel : dashboard.get("panels")) {
            for (JsonNode target : panel.path("targets")) {
                assertAsksForWhatExists(
                        panel.get("title").asText(), target.get("expr").asText(), documented);
                assertSaysWhose(panel.get("title").asText(), target.get("expr").asText());
                panels++;
            }
        }
        assertThat(panels).isGreaterThan(20);
    }

    @Test
    void everyAlertHasItsRunbookAndEveryRunbookItsAlert() throws IOException {
        SortedSet<String> alerts = new TreeSet<>();
        for (JsonNode alert : alerts()) {
            String name = alert.get("alert").asText();
            assertThat(alert.at("/annotations/runbook").asText()).isEqualTo("docs/runbooks/" + name + ".md");
            alerts.add(name + ".md");
        }
        try (Stream<Path> pages = Files.list(ROOT.resolve("docs/runbooks"))) {
            assertThat(pages.map(page -> page.getFileName().toString())).containsExactlyInAnyOrderElementsOf(alerts);
        }
        String operating = Files.readString(ROOT.resolve("docs/operating.md"));
        alerts.forEach(page -> assertThat(operating).contains("(runbooks/" + page + ")"));
    }
}
