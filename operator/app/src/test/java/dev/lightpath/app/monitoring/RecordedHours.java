package dev.lightpath.app.monitoring;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.app.monitoring.Prometheus.Series;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The series that alerts read, recorded from a real run and played for two hours. The recording is repeated until then:
 * counters go on where they ended, and what held all through the recording holds for two hours.
 */
final class RecordedHours {
    /** Longer than the longest that an alert waits. */
    private static final Duration PLAYED = Duration.ofHours(2);

    private static final Duration STEP = Duration.ofSeconds(5);
    private static final Pattern SERIES = Pattern.compile("lightpath_\\w+");
    private static final Pattern COUNTER = Pattern.compile(".*_(total|count|sum|bucket)");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<Series> recorded;
    private final int length;

    private RecordedHours(List<Series> recorded, int length) {
        this.recorded = recorded;
        this.length = length;
    }

    /** Reads all that these rules ask for. */
    static RecordedHours of(Prometheus prometheus, String rules, Instant from, Instant to)
            throws IOException, InterruptedException {
        SortedSet<String> names = new TreeSet<>();
        SERIES.matcher(rules).results().map(MatchResult::group).forEach(names::add);
        int length = (int) (Duration.between(from, to).toSeconds() / STEP.toSeconds()) + 1;
        List<Series> recorded = new ArrayList<>();
        for (String name : names) {
            recorded.addAll(prometheus.recorded(name, from, STEP, length));
        }
        return new RecordedHours(recorded, length);
    }

    /** Names of the series that there are. */
    SortedSet<String> names() {
        SortedSet<String> names = new TreeSet<>();
        recorded.forEach(series -> names.add(series.name()));
        return names;
    }

    /**
     * Writes what promtool plays: it fails and names the alerts unless none of the rules fires.
     *
     * @param but an alert that is not judged
     */
    Path write(Path folder, String rules, String but) throws IOException {
        Files.writeString(folder.resolve("recorded.rules.yaml"), rules);
        List<Object> series = new ArrayList<>();
        for (Series each : recorded) {
            series.add(Map.of("series", each.selector(), "values", repeated(each)));
        }
        Map<String, Object> played = Map.of(
                "interval",
                STEP.toSeconds() + "s",
                "input_series",
                series,
                "promql_expr_test",
                List.of(Map.of(
                        "expr",
                        "max_over_time(ALERTS{alertstate=\"firing\",alertname!=\"" + but + "\"}[" + PLAYED.toHours()
                                + "h])",
                        "eval_time",
                        PLAYED.toHours() + "h",
                        "exp_samples",
                        List.of())));
        return Files.writeString(
                folder.resolve("recorded.test.yaml"),
                JSON.writeValueAsString(Map.of(
                        "rule_files",
                        List.of("recorded.rules.yaml"),
                        "evaluation_interval",
                        STEP.toSeconds() + "s",
                        "tests",
                        List.of(played))));
    }

    private String repeated(Series series) {
        List<Double> values = series.values();
        double gained = COUNTER.matcher(series.name()).matches() ? gained(values) : 0;
        long samples = PLAYED.toSeconds() / STEP.toSeconds() + 1;
        StringBuilder text = new StringBuilder();
        boolean was = false;
        for (int index = 0; index < samples; index++) {
            double value = values.get(index % length);
            boolean is = !Double.isNaN(value);
            text.append(index == 0 ? "" : " ");
            if (is) {
                text.append(value + index / length * gained);
            } else {
                // a gap without that is bridged for five minutes
                text.append(was ? "stale" : "_");
            }
            was = is;
        }
        return text.toString();
    }

    private static double gained(List<Double> values) {
        List<Double> there = values.stream().filter(value -> !value.isNaN()).toList();
        return Math.max(0, there.getLast() - there.getFirst());
    }
}
