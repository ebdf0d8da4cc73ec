package dev.lightpath.driver.session;

import java.time.Duration;

/** The end of the time that a device has for all questions of one change. */
public final class Deadline {
    private final long endNanos;

    private Deadline(long endNanos) {
        this.endNanos = endNanos;
    }

    public static Deadline in(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    /** Time for the next question; a device that has none left is asked all the same, and has a millisecond. */
    public Duration left() {
        return Duration.ofNanos(Math.max(endNanos - System.nanoTime(), 1_000_000));
    }
}
