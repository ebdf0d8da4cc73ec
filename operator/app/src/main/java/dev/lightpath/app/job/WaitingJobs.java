package dev.lightpath.app.job;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How many jobs of a namespace wait, counted once a second at most: each job that is looked at asks, and to count them
 * takes as long as there are jobs. Thread-safe.
 */
final class WaitingJobs {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    /** More namespaces than these are not remembered at a time. */
    private static final int MOST = 1024;

    private record Counted(long number, long nanos) {}

    private final Map<String, Counted> counts = new HashMap<>();

    /**
     * @param nowNanos monotonic
     * @param count counts those of the namespace now
     */
    synchronized long of(String namespace, long nowNanos, LongSupplier count) {
        @Nullable Counted last = counts.get(namespace);
        if (last != null && nowNanos - last.nanos() < SECOND) {
            return last.number();
        }
        if (counts.size() >= MOST) {
            counts.clear();
        }
        long number = count.getAsLong();
        counts.put(namespace, new Counted(number, nowNanos));
        return number;
    }
}
