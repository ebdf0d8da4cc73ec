package dev.lightpath.benchmarks.whole;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;

/**
 * What the processes of a site did so far.
 *
 * @param requests of the API server, by verb and resource
 */
record Load(Instant at, Duration controlPlane, Duration operator, SortedMap<String, Double> requests) {
    static Load of(Site site) {
        return new Load(
                Instant.now(),
                site.plane.processorTime(),
                site.operator.program().processorTime(),
                site.plane.requests());
    }

    /**
     * Cores used and requests a second since then, a line each; requests rarer than one in ten seconds are left out.
     */
    List<String> since(Load before) {
        double seconds = Duration.between(before.at, at).toMillis() / 1e3;
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "cores in use: API server and etcd %.2f, operator %.2f",
                controlPlane.minus(before.controlPlane).toMillis() / 1e3 / seconds,
                operator.minus(before.operator).toMillis() / 1e3 / seconds));
        requests.forEach((what, count) -> {
            double rate = (count - before.requests.getOrDefault(what, 0.0)) / seconds;
            if (rate >= 0.1) {
                lines.add(String.format(Locale.ROOT, "%6.1f requests a second: %s", rate, what));
            }
        });
        return lines;
    }
}
