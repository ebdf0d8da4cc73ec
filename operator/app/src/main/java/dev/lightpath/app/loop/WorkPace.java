package dev.lightpath.app.loop;

import java.time.Duration;

/** Leaves time between two times of work that each change asks for, and that takes longer the more there is. */
public final class WorkPace {
    /** The work takes at most one in so many parts of the time. */
    private static final int PARTS = 40;

    private static final Duration LONGEST = Duration.ofSeconds(1);

    private WorkPace() {}

    /**
     * When to begin again at the earliest, by {@link System#nanoTime}: at most a second after the end.
     *
     * @param beganNanos when the work began, by the same clock
     * @param endedNanos when it ended
     */
    public static long next(long beganNanos, long endedNanos) {
        return endedNanos + Math.min(PARTS * (endedNanos - beganNanos), LONGEST.toNanos());
    }
}
