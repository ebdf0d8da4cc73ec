package dev.lightpath.benchmarks.life;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;

/**
 * What {@code lightpath study live} has played, by its own report.
 *
 * @param from first day of what is played
 * @param moments in order: the beginning, the jobs that come first, what was broken already, what happened on the days
 *     that are played, and the end
 */
record Played(
        double from, List<Moment> moments, List<String> findings, double settleSecondsMean, double settleSecondsMax) {
    private static final Pattern FAILS = Pattern.compile("node at \\d+ fails");
    private static final Pattern RECOVERS = Pattern.compile("node at \\d+ recovers");
    private static final Pattern ARRIVES = Pattern.compile("job \\S+ arrives");
    private static final Pattern LEAVES = Pattern.compile("job \\S+ leaves");

    /**
     * What happened at once.
     *
     * @param day of the trace
     */
    record Moment(Instant at, double day, int failed, int recovered, int arrived, int left) {
        private static Moment of(Instant at, double day, String words) {
            return new Moment(
                    at, day, count(FAILS, words), count(RECOVERS, words), count(ARRIVES, words), count(LEAVES, words));
        }

        private static int count(Pattern pattern, String words) {
            return (int) pattern.matcher(words).results().count();
        }

        boolean hasFault() {
            return failed + recovered > 0;
        }

        boolean hasJob() {
            return arrived + left > 0;
        }
    }

    /**
     * Of what the program said.
     *
     * @throws IllegalStateException where there is no report
     */
    static Played of(String words) {
        int begin = words.startsWith("{\n") ? 0 : words.indexOf("\n{\n") + 1;
        if (begin == 0 && !words.startsWith("{\n")) {
            throw new IllegalStateException("no report: " + words);
        }
        JsonNode report;
        try {
            report = new ObjectMapper().readTree(words.substring(begin));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Instant began = Instant.parse(report.path("began").asText());
        List<Moment> moments = new ArrayList<>();
        for (JsonNode moment : report.path("moments")) {
            moments.add(Moment.of(
                    began.plusNanos((long) (1e9 * moment.path("atSeconds").asDouble())),
                    moment.path("day").asDouble(),
                    moment.path("event").asText()));
        }
        List<String> findings = new ArrayList<>();
        report.path("findings").forEach(finding -> findings.add(finding.toString()));
        return new Played(
                report.path("fromDay").asDouble(),
                moments,
                findings,
                report.path("settleSecondsMean").asDouble(),
                report.path("settleSecondsMax").asDouble());
    }

    /** The moment in which the first jobs come. */
    Moment first() {
        return moments.stream()
                .filter(moment -> moment.arrived() > 0)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no job ever came"));
    }

    /** When what comes after a moment began. */
    Instant after(Moment moment) {
        return moments.get(moments.indexOf(moment) + 1).at();
    }

    /** What happened on the days that are played. */
    List<Moment> life() {
        return moments.stream()
                .limit(moments.size() - 1)
                .filter(moment -> moment.day() >= from && moment != moments.getFirst())
                .toList();
    }

    Instant begin() {
        return life().getFirst().at();
    }

    Instant end() {
        return moments.getLast().at();
    }

    /** Faults: as many as began or ended, whichever is more. */
    int faults() {
        return Math.max(sum(Moment::failed), sum(Moment::recovered));
    }

    /** Jobs: as many as came or left, whichever is more. */
    int jobs() {
        return Math.max(sum(Moment::arrived), sum(Moment::left));
    }

    int sum(ToIntFunction<Moment> of) {
        return life().stream().mapToInt(of).sum();
    }
}
