package dev.lightpath.solver;

import java.time.Duration;

/** The moment by which an answer is wanted, on the monotone clock of this process. */
record Deadline(long nanoTime) {
    private static final Duration LEAST = Duration.ofMillis(1);

    static Deadline in(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    boolean isOver() {
        return System.nanoTime() - nanoTime > 0;
    }

    /** What is left, at least a millisecond: a solver takes zero for no limit. */
    Duration left() {
        Duration left = Duration.ofNanos(nanoTime - System.nanoTime());
        return left.compareTo(LEAST) < 0 ? LEAST : left;
    }
}
