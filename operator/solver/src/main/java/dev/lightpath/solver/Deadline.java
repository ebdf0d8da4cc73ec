package dev.lightpath.solver;

import java.time.Duration;

/** The deadline of an answer, on the monotonic clock of this process. */
record Deadline(long nanoTime) {
    private static final Duration LEAST = Duration.ofMillis(1);

    static Deadline in(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    boolean isOver() {
        return System.nanoTime() - nanoTime > 0;
    }

    /** Time left, at least a millisecond, because a solver takes zero for no limit. */
    Duration left() {
        Duration left = Duration.ofNanos(nanoTime - System.nanoTime());
        return left.compareTo(LEAST) < 0 ? LEAST : left;
    }
}
