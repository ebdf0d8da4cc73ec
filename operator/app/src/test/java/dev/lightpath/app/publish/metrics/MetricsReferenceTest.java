package dev.lightpath.app.publish.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The page of all series is what a scrape shows. To write it anew:
 *
 * <pre>./mvnw -pl operator/app -am test -Dtest=MetricsReferenceTest -Dsurefire.failIfNoSpecifiedTests=false
 * -Dlightpath.write=true</pre>
 */
class MetricsReferenceTest {
    private static final Path PAGE = Path.of(System.getProperty("basedir", "."), "../../docs/reference/metrics.md");
    private static final Pattern HELP = Pattern.compile("# HELP (lightpath_\\w+) (.*)");
    private static final Pattern TYPE = Pattern.compile("# TYPE (lightpath_\\w+) (\\w+)");
    private static final Pattern SAMPLE = Pattern.compile("(lightpath_\\w+)\\{(.*)} .*");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");
    private static final Pattern PART = Pattern.compile("_(bucket|count|sum)$");

    /** Their values are names of the user's, or words that a device or a condition may choose. */
    private static final Set<String> OPEN =
            Set.of("fabric", "namespace", "job", "device", "switch", "driver", "signal");

    /** Its reasons are those of the condition Ready of a job. */
    private static final String REASONS = "lightpath_job_waiting_since_seconds";

    @Test
    void pageShowsEverySeriesOfAScrape() throws IOException {
        String page = page(OperatorScrape.text());
        if (Boolean.getBoolean("lightpath.write")) {
            Files.writeString(PAGE, page);
        }
        assertThat(Files.readString(PAGE)).isEqualTo(page);
    }

    private static String page(String scrape) {
        SortedMap<String, String> types = new TreeMap<>();
        SortedMap<String, String> meanings = new TreeMap<>();
        SortedMap<String, SortedMap<String, SortedSet<String>>> labels = new TreeMap<>();
        scrape.lines().forEach(line -> {
            Matcher help = HELP.matcher(line);
            Matcher type = TYPE.matcher(line);
            Matcher sample = SAMPLE.matcher(line);
            if (help.matches()) {
                meanings.put(help.group(1), help.group(2));
            } else if (type.matches()) {
                types.put(type.group(1), type.group(2));
            } else if (sample.matches()) {
                String name = types.containsKey(sample.group(1))
                        ? sample.group(1)
                        : PART.matcher(sample.group(1)).replaceFirst("");
                LABEL.matcher(sample.group(2))
                        .results()
                        .forEach(label -> labels.computeIfAbsent(name, unseen -> new TreeMap<>())
                                .computeIfAbsent(label.group(1), unseen -> new TreeSet<>())
                                .add(label.group(2)));
            }
        });
        StringBuilder page = new StringBuilder("""
            # Metrics of the operator

            Series of `/q/metrics`, besides those of the JVM, of Quarkus and of the operator framework. This page is generated from
            a scrape. Histograms have `_bucket`, `_count` and `_sum`; `_max` is the largest value of the last minutes. The series of
            the driver server are in `driver-contract.md`. Alerts and dashboards: `deploy/kubernetes/monitoring`.

            Some series name jobs, devices or switches. Each of them has a most: 500 jobs (those that lost light first, then those
            with a place, then those that wait), 64 faults of a fabric, 1024 switches, 64 devices that do not make their changes.

            Buckets of `lightpath_fault_to_light_seconds` and `lightpath_driver_apply_seconds` have exemplars, for callers that
            take OpenMetrics. An exemplar names the trace of a change (`../monitoring.md`, "Following one change").

            | series | type | labels | meaning |
            |---|---|---|---|
            """);
        types.forEach((name, type) -> {
            if (!name.endsWith("_max")) {
                page.append("| `%s` | %s | %s | %s |\n"
                        .formatted(
                                name,
                                type,
                                labels(name, labels.getOrDefault(name, new TreeMap<>())),
                                meanings.get(name)));
            }
        });
        return page.toString();
    }

    private static String labels(String series, SortedMap<String, SortedSet<String>> labels) {
        SortedSet<String> shown = new TreeSet<>();
        labels.forEach((name, values) -> {
            if (!name.equals("le")) {
                shown.add(
                        OPEN.contains(name) || series.equals(REASONS)
                                ? "`" + name + "`"
                                : "`" + name + "`: " + String.join(", ", values));
            }
        });
        return String.join("; ", shown);
    }
}
