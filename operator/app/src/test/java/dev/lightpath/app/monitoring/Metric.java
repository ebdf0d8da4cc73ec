package dev.lightpath.app.monitoring;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A series as it was scraped.
 *
 * @param labels with the values that the scrape showed
 */
record Metric(String name, String type, SortedMap<String, SortedSet<String>> labels) {
    /** Labels whose values are names of the user's. */
    private static final Set<String> OPEN =
            Set.of("fabric", "namespace", "job", "device", "switch", "driver", "port", "signal", "reason", "instance");

    Metric {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    /** All of it. */
    Selection all() {
        return new Selection(this, List.of());
    }

    /** What has this value of a label. */
    Selection with(String label, String value) {
        return all().with(label, value);
    }

    /** What the variable of this name selects. */
    Selection chosen(String... variables) {
        return all().chosen(variables);
    }

    private void require(String label) {
        if (!labels.containsKey(label)) {
            throw new IllegalArgumentException(name + " has no label " + label + "; it has " + labels.keySet());
        }
    }

    private void require(String label, String value) {
        require(label);
        SortedSet<String> known = labels.get(label);
        if (!OPEN.contains(label) && !known.contains(value)) {
            throw new IllegalArgumentException(name + "{" + label + "} is never " + value + "; it is one of " + known);
        }
    }

    /** Some of the rows of a series. */
    record Selection(Metric metric, List<String> matchers) {
        Selection with(String label, String value) {
            metric.require(label, value);
            return and(label + "=\"" + value + "\"");
        }

        Selection without(String label, String value) {
            metric.require(label, value);
            return and(label + "!=\"" + value + "\"");
        }

        Selection in(String label, String... values) {
            for (String value : values) {
                metric.require(label, value);
            }
            return and(label + "=~\"" + String.join("|", values) + "\"");
        }

        Selection chosen(String... variables) {
            Selection chosen = this;
            for (String variable : variables) {
                metric.require(variable);
                chosen = chosen.and(variable + "=~\"$" + variable + "\"");
            }
            return chosen;
        }

        private Selection and(String matcher) {
            List<String> more = new ArrayList<>(matchers);
            more.add(matcher);
            return new Selection(metric, more);
        }

        private String text(String part) {
            return metric.name + part + (matchers.isEmpty() ? "" : "{" + String.join(",", matchers) + "}");
        }

        /** As it stands: a gauge, or a counter from its start. */
        Query now() {
            return new Query(text(""));
        }

        /** The largest: a replica of the operator that waits shows nothing, or what it last knew. */
        Query max(String... labels) {
            return new Query("max" + by(labels) + "(" + text("") + ")");
        }

        Query sum(String... labels) {
            return new Query("sum" + by(labels) + "(" + text("") + ")");
        }

        /** Per second. */
        Query rate(String... labels) {
            return over("rate", "", "$__rate_interval", labels);
        }

        /** So many in the time shown at one point of a graph. */
        Query increase(String... labels) {
            return over("increase", "", "$__rate_interval", labels);
        }

        /** So many in the whole time range. */
        Query total(String... labels) {
            return over("increase", "", "$__range", labels);
        }

        /** Events of a histogram or summary per second. */
        Query events(String window, String... labels) {
            typed("histogram", "summary");
            return over("rate", "_count", window, labels);
        }

        /** How many events of a histogram or summary there were. */
        Query eventsIn(String window) {
            typed("histogram", "summary");
            return over("increase", "_count", window);
        }

        /** What the events of a histogram or summary add up to, per second. */
        Query amount(String window, String... labels) {
            typed("histogram", "summary");
            return over("rate", "_sum", window, labels);
        }

        /** Events of a histogram that took no longer than a bucket's bound, per second. */
        Query within(String bound, String window) {
            typed("histogram");
            Selection bounded = with("le", bound);
            return bounded.over("rate", "_bucket", window);
        }

        Query quantile(double quantile, String... labels) {
            typed("histogram");
            List<String> all = new ArrayList<>(List.of("le"));
            all.addAll(List.of(labels));
            return new Query(
                    "histogram_quantile(" + quantile + ", "
                            + over("rate", "_bucket", "$__rate_interval", all.toArray(String[]::new))
                                    .text() + ")",
                    true);
        }

        private Query over(String function, String part, String window, String... labels) {
            if (part.isEmpty()) {
                typed("counter");
            }
            return new Query("sum" + by(labels) + "(" + function + "(" + text(part) + "[" + window + "]))");
        }

        private void typed(String... allowed) {
            if (!List.of(allowed).contains(metric.type)) {
                throw new IllegalArgumentException(
                        metric.name + " is a " + metric.type + ", not a " + String.join(" or ", allowed));
            }
        }

        private String by(String... labels) {
            for (String label : labels) {
                metric.require(label);
            }
            return labels.length == 0 ? " " : " by (" + String.join(", ", labels) + ") ";
        }
    }

    /** PromQL, made of selections only. */
    record Query(String text, boolean exemplars) {
        Query(String text) {
            this(text, false);
        }

        private static final Pattern WORD = Pattern.compile("[A-Za-z_]\\w*");
        private static final Set<String> WORDS =
                Set.of("or", "and", "on", "unless", "vector", "count", "time", "by", "fabric", "topk", "max");

        /** Arithmetic around queries, each of which is a {@code %s}; its words are operators. */
        static Query of(String form, Query... parts) {
            WORD.matcher(form.replace("%s", "")).results().forEach(word -> {
                if (!WORDS.contains(word.group())) {
                    throw new IllegalArgumentException("a series is named by the catalogue: " + word.group());
                }
            });
            return new Query(form.formatted(Stream.of(parts).map(Query::text).toArray()));
        }

        /** 0 where there is nothing. */
        Query orZero() {
            return new Query(text + " or vector(0)");
        }
    }
}
