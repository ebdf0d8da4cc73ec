package dev.lightpath.app.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.app.monitoring.AlertRules.Alert;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Alerts ask for series and labels that exist, name what they are about, and have their page and their test. */
class AlertsTest {
    /** What promtool plays: {@code AlertsIT} runs it. */
    static final Path CASES =
            DashboardsTest.ROOT.resolve("operator/app/src/test/resources/monitoring/alerts.test.yaml");

    private static final Pattern SELECTED = Pattern.compile("(lightpath_\\w+)(?:\\{([^}]*)})?");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)(=~|!~|!=|=)\"([^\"]*)\"");
    private static final Pattern BY = Pattern.compile("by \\(([^)]*)\\)");
    private static final Pattern NAMED = Pattern.compile("\\$labels\\.(\\w+)");
    private static final Pattern PART = Pattern.compile("_(bucket|count|sum)$");

    private static Scrapes scrapes;

    @BeforeAll
    static void scrape(@TempDir Path folder) throws IOException, InterruptedException {
        scrapes = Scrapes.take(folder);
    }

    private static Metric metric(String name) {
        String plain = PART.matcher(name).replaceFirst("");
        return Stream.of(scrapes.operator(), scrapes.driver(), scrapes.ports(), scrapes.worker())
                .map(catalogue ->
                        catalogue.all().getOrDefault(name, catalogue.all().get(plain)))
                .filter(found -> found != null)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no process has a series " + name));
    }

    @Test
    void askForSeriesLabelsAndValuesThatExist() throws IOException {
        for (Alert alert : AlertRules.all()) {
            Matcher selected = SELECTED.matcher(alert.expression());
            SortedSet<String> labels = new TreeSet<>(List.of("le", "instance"));
            assertThat(selected.find())
                    .as(alert.name() + " asks for a series of ours")
                    .isTrue();
            do {
                Metric metric = metric(selected.group(1));
                labels.addAll(metric.labels().keySet());
                Matcher matcher = MATCHER.matcher(selected.group(2) == null ? "" : selected.group(2));
                while (matcher.find()) {
                    for (String value : matcher.group(3).split("\\|")) {
                        metric.with(matcher.group(1), value);
                    }
                }
            } while (selected.find());
            BY.matcher(alert.expression())
                    .results()
                    .flatMap(by -> Arrays.stream(by.group(1).split(", ")))
                    .forEach(label -> assertThat(labels).as(alert.name()).contains(label));
        }
    }

    /** Whom it is routed to: an alert about a fabric, a job or a device says which. */
    @Test
    void carryWhatTheirWordsName() throws IOException {
        for (Alert alert : AlertRules.all()) {
            SortedSet<String> carried = BY.matcher(alert.expression())
                    .results()
                    .flatMap(by -> Arrays.stream(by.group(1).split(", ")))
                    .collect(Collectors.toCollection(TreeSet::new));
            if (carried.isEmpty() && !alert.expression().matches("(?s).*(sum|max|absent).*")) {
                carried.add("instance");
            }
            NAMED.matcher(alert.summary())
                    .results()
                    .forEach(named -> assertThat(carried).as(alert.name()).contains(named.group(1)));
            assertThat(alert.severity()).isIn("critical", "warning", "info");
            assertThat(alert.summary()).isNotBlank();
        }
        assertThat(expression("LightpathJobsDegraded")).contains("by (namespace, job, fabric)");
        assertThat(expression("LightpathChangesRefused")).contains("device");
        assertThat(expression("LightpathFaultsQuarantined")).contains("fabric, kind, device");
    }

    private static String expression(String name) throws IOException {
        return AlertRules.all().stream()
                .filter(alert -> alert.name().equals(name))
                .findFirst()
                .orElseThrow()
                .expression();
    }

    @Test
    void everyAlertHasItsRunbookAndEveryRunbookItsAlert() throws IOException {
        SortedSet<String> pages = new TreeSet<>();
        for (Alert alert : AlertRules.all()) {
            assertThat(alert.runbookUrl()).isEqualTo(GrafanaJson.RUNBOOKS + "/" + alert.name() + ".md");
            pages.add(alert.name() + ".md");
        }
        try (Stream<Path> files = Files.list(DashboardsTest.ROOT.resolve("docs/runbooks"))) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(file -> file.startsWith("Lightpath")))
                    .containsExactlyInAnyOrderElementsOf(pages);
        }
        String operating = Files.readString(DashboardsTest.ROOT.resolve("docs/monitoring.md"));
        pages.forEach(page -> assertThat(operating).contains("(runbooks/" + page + ")"));
    }

    /** Without that the label job of a series is the name of the scrape job. */
    @Test
    void theScrapeKeepsTheLabelsOfJobs() throws IOException {
        assertThat(Files.readString(DashboardsTest.ROOT.resolve("deploy/kubernetes/monitoring/scrape.yaml")))
                .contains("honorLabels: true");
    }

    @Test
    void everyAlertHasATestThatItFiresAndThatItDoesNot() throws IOException {
        SortedSet<String> firing = new TreeSet<>();
        SortedSet<String> quiet = new TreeSet<>();
        JsonNode cases = Serialization.yamlMapper().readTree(CASES.toFile());
        for (JsonNode each : cases.get("tests")) {
            for (JsonNode asked : each.get("alert_rule_test")) {
                (asked.path("exp_alerts").isEmpty() ? quiet : firing)
                        .add(asked.get("alertname").asText());
            }
        }
        List<String> names = AlertRules.all().stream().map(Alert::name).toList();
        assertThat(firing).containsExactlyInAnyOrderElementsOf(names);
        assertThat(quiet).containsExactlyInAnyOrderElementsOf(names);
    }
}
