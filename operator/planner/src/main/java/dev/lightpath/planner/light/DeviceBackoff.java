package dev.lightpath.planner.light;

import java.time.Duration;
import java.time.Instant;

/**
 * A device that did not make its last change.
 *
 * @param reason {@link Reason#REJECTED} or {@link Reason#INDETERMINATE}
 * @param message the device's or driver's own words
 * @param notBefore when it may be commanded again
 * @param count how many recent times in a row it failed, from 1
 */
public record DeviceBackoff(Reason reason, String message, Instant notBefore, int count) {
    /** A setback counts as recent until this long after the device may be commanded again. */
    private static final Duration LATE = Duration.ofMinutes(1);

    /** Whether the device refused its last change. */
    public boolean refused() {
        return reason == Reason.REJECTED;
    }

    /** Whether it is recent. An older setback says nothing about the device now. */
    public boolean isOfLate(Instant now) {
        return now.isBefore(notBefore.plus(LATE));
    }

    /** This setback after the wall clock was set by so much. */
    public DeviceBackoff moved(Duration by) {
        return new DeviceBackoff(reason, message, notBefore.plus(by), count);
    }
}
