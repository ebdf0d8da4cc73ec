package dev.lightpath.planner.world;

import java.time.Duration;
import java.time.Instant;

/**
 * A device that did not do what it was asked.
 *
 * @param reason a CamelCase word: Rejected or Indeterminate
 * @param message the device's or driver's own words
 * @param notBefore when it may be asked again
 * @param count how many times in a row of late it has not, from 1
 */
public record Setback(String reason, String message, Instant notBefore, int count) {
    /** The reason of a device that said no. */
    public static final String REJECTED = "Rejected";

    /** The reason of one that did not say. */
    public static final String INDETERMINATE = "Indeterminate";

    /** So long after it might be asked again it is not over yet. */
    private static final Duration LATE = Duration.ofMinutes(1);

    /** Whether it said no the last time. */
    public boolean refused() {
        return reason.equals(REJECTED);
    }

    /** Whether it was of late: of what was long ago nobody knows that it still is. */
    public boolean isOfLate(Instant now) {
        return now.isBefore(notBefore.plus(LATE));
    }

    /** The same on a clock that was set by so much. */
    public Setback moved(Duration by) {
        return new Setback(reason, message, notBefore.plus(by), count);
    }
}
