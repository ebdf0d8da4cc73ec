package dev.lightpath.app.solving;

import dev.lightpath.app.loop.SolvingMeter;
import java.util.HashMap;
import java.util.Map;

/** Threads of this process that run although no caller waits for them, from any term. Thread-safe. */
public final class AbandonedSearches {
    private final SolvingMeter meter;
    /** From when on each of them is late. */
    private final Map<Solve, Long> lateNanos = new HashMap<>();

    public AbandonedSearches(SolvingMeter meter) {
        this.meter = meter;
    }

    /** @param lateFromNanos from when on it counts as one that does not stop */
    synchronized void add(Solve solve, long lateFromNanos) {
        lateNanos.put(solve, lateFromNanos);
        meter.abandoned(lateNanos.size());
    }

    synchronized void ended(Solve solve) {
        if (lateNanos.remove(solve) != null) {
            meter.abandoned(lateNanos.size());
        }
    }

    synchronized int threads() {
        return lateNanos.size();
    }

    /** Those that should have ended. */
    synchronized int late(long nowNanos) {
        return (int)
                lateNanos.values().stream().filter(from -> nowNanos - from >= 0).count();
    }

    /** Whether a thread of this question does not stop. */
    synchronized boolean hangs(String digest, long nowNanos) {
        return lateNanos.entrySet().stream()
                .anyMatch(each -> each.getKey().digest().equals(digest) && nowNanos - each.getValue() >= 0);
    }
}
