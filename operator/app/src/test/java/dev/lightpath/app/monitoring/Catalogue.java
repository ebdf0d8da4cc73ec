package dev.lightpath.app.monitoring;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Every series of one process, read off a scrape of it. */
final class Catalogue {
    private static final Pattern TYPE = Pattern.compile("# TYPE (\\w+) (\\w+)");
    private static final Pattern SAMPLE = Pattern.compile("(\\w+)(?:\\{(.*)})? \\S+");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");
    private static final Pattern PART = Pattern.compile("_(bucket|count|sum)$");

    private final String process;
    private final SortedMap<String, Metric> metrics;

    private Catalogue(String process, SortedMap<String, Metric> metrics) {
        this.process = process;
        this.metrics = Collections.unmodifiableSortedMap(metrics);
    }

    /** Reads the text format of Prometheus. */
    static Catalogue of(String process, String scrape) {
        SortedMap<String, String> types = new TreeMap<>();
        SortedMap<String, SortedMap<String, SortedSet<String>>> labels = new TreeMap<>();
        scrape.lines().forEach(line -> {
            Matcher type = TYPE.matcher(line);
            Matcher sample = SAMPLE.matcher(line);
            if (type.matches()) {
                types.put(type.group(1), type.group(2));
            } else if (sample.matches()) {
                String name = types.containsKey(sample.group(1))
                        ? sample.group(1)
                        : PART.matcher(sample.group(1)).replaceFirst("");
                var of = labels.computeIfAbsent(name, unseen -> new TreeMap<>());
                LABEL.matcher(sample.group(2) == null ? "" : sample.group(2))
                        .results()
                        .forEach(label -> of.computeIfAbsent(label.group(1), unseen -> new TreeSet<>())
                                .add(label.group(2)));
            }
        });
        SortedMap<String, Metric> metrics = new TreeMap<>();
        labels.forEach((name, of) -> metrics.put(name, new Metric(name, types.getOrDefault(name, "untyped"), of)));
        return new Catalogue(process, metrics);
    }

    /** The names of all series. */
    SortedSet<String> names() {
        return new TreeSet<>(metrics.keySet());
    }

    /** @throws IllegalArgumentException when the scrape has none of this name */
    Metric get(String name) {
        Metric metric = metrics.get(name);
        if (metric == null) {
            throw new IllegalArgumentException(process + " has no series " + name);
        }
        return metric;
    }

    SortedMap<String, Metric> all() {
        return metrics;
    }
}
