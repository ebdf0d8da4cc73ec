package dev.lightpath.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Durations of one kind. Thread-safe. */
public final class Samples {
    private final List<Double> millis = Collections.synchronizedList(new ArrayList<>());

    public void addMillis(double value) {
        millis.add(value);
    }

    public void addNanos(long value) {
        addMillis(value / 1e6);
    }

    public int count() {
        return millis.size();
    }

    /**
     * The smallest sample that so many percent do not exceed: of 100 samples p99 is the second largest. NaN without
     * samples.
     */
    public double percentile(double percent) {
        List<Double> sorted = new ArrayList<>(List.copyOf(millis));
        if (sorted.isEmpty()) {
            return Double.NaN;
        }
        Collections.sort(sorted);
        int index = (int) Math.ceil(percent / 100 * sorted.size()) - 1;
        return sorted.get(Math.max(0, index));
    }

    /** As p50 / p99 / largest in milliseconds, and of how many. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "%.0f / %.0f / %.0f ms (%d)", percentile(50), percentile(99), percentile(100), count());
    }
}
