package dev.lightpath.app.measuring;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Light of a job that stays as it is, and the value that counted with it last. No two values that count look back on
 * the same moment. Not thread-safe.
 */
final class SteadyLight {
    /** Answers in a row without a job, after which it is forgotten: most likely it is gone. */
    static final int MOST_MISSES = 10;

    private final String fabric;
    private final List<String> light;
    /** What was measured before this was measured with other light, or is in a value that counted. */
    private long freshNanos;

    private @Nullable QueriedTime counted;
    private int misses;

    /** @param light its records with their revisions */
    SteadyLight(String fabric, List<String> light, long sinceNanos) {
        this.fabric = fabric;
        this.light = List.copyOf(light);
        this.freshNanos = sinceNanos;
    }

    String fabric() {
        return fabric;
    }

    boolean is(String ofFabric, List<String> other) {
        return fabric.equals(ofFabric) && light.equals(other);
    }

    /** Whether all that a value looks back on is fresh. */
    boolean isFresh(long askedNanos, long rangeNanos) {
        return askedNanos - freshNanos >= rangeNanos;
    }

    void count(QueriedTime value, long askedNanos) {
        counted = value;
        freshNanos = askedNanos;
    }

    Optional<QueriedTime> counted() {
        return Optional.ofNullable(counted);
    }

    /** Whether the job was in one of the last answers. */
    boolean isHeardOf(boolean now) {
        misses = now ? 0 : misses + 1;
        return misses < MOST_MISSES;
    }
}
