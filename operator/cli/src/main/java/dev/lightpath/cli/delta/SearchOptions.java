package dev.lightpath.cli.delta;

import dev.lightpath.console.text.BadInput;
import dev.lightpath.planner.delta.search.SearchLimits;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** Options that bound a search: time becomes a stop signal here, the planner itself counts nodes. */
final class SearchOptions {
    private static final Pattern TIME = Pattern.compile("(\\d+(?:\\.\\d+)?)(ms|s|m|h)?");

    @Option(names = "--time-limit", defaultValue = "60s", description = "500ms, 60s, 2m (default ${DEFAULT-VALUE})")
    private String timeLimit = "60s";

    @Option(names = "--threads", defaultValue = "2", description = "default ${DEFAULT-VALUE}; never changes the answer")
    private int threads = 2;

    @Option(names = "--seed", defaultValue = "1", description = "of the genetic algorithm (default ${DEFAULT-VALUE})")
    private long seed = 1;

    /** Limits that begin to count now. */
    SearchLimits limits(Consumer<String> progress) {
        if (threads < 1 || threads > 1024) {
            throw new BadInput("--threads " + threads + ": allowed: 1 to 1024");
        }
        long end = System.nanoTime() + duration().toNanos();
        return SearchLimits.standard()
                .withThreads(threads)
                .withSeed(seed)
                .stoppingWhen(() -> System.nanoTime() - end > 0)
                .reportingTo(at -> progress.accept("after " + at.nodes() + " nodes: " + at.objective()
                        + (at.bound() > 0 ? ", at least " + at.bound() : "")));
    }

    /** @throws BadInput unless the tolerance is a finite number, 0 or more */
    static void requirePortTolerance(double portTolerance) {
        if (!(portTolerance >= 0) || Double.isInfinite(portTolerance)) {
            throw new BadInput("--port-tolerance " + portTolerance + ": allowed: 0 or more");
        }
    }

    Duration duration() {
        Matcher time = TIME.matcher(timeLimit);
        if (!time.matches()) {
            throw new BadInput("--time-limit " + timeLimit + ": allowed: a number with ms, s, m or h");
        }
        double unitMillis = switch (String.valueOf(time.group(2))) {
            case "ms" -> 1;
            case "m" -> 60_000;
            case "h" -> 3_600_000;
            default -> 1000;
        };
        double millis = Double.parseDouble(time.group(1)) * unitMillis;
        if (!(millis > 0) || millis > 1e10) {
            throw new BadInput("--time-limit " + timeLimit + ": allowed: above 0, at most 2777h");
        }
        return Duration.ofNanos((long) (millis * 1e6));
    }
}
