package dev.lightpath.planner.light;

import java.time.Duration;
import java.time.Instant;

/**
 * A device that did not make its last change.
 *
 * @param reason {@link Reason#REJECTED} or {@link Reason#INDETERMINATE}
 * @param message the device's or driver's own words
 * @param notBefore when it may be commanded again
 * @param count how many times in a row it failed, from 1
 */
public record DeviceBackoff(Reason reason, String message, Instant notBefore, int count) {
    /** How long it is remembered after the device may be commanded again. */
    private static final Duration REMEMBERED = Duration.ofMinutes(1);

    /** Whether the device refused its last change. */
    public boolean refused() {
        return reason == Reason.REJECTED;
    }

    /** From then on it says nothing about the device any more: nobody has asked the device for long. */
    public Instant endsAt() {
        return notBefore.plus(REMEMBERED);
    }

    public boolean isOver(Instant now) {
        return !now.isBefore(endsAt());
    }

    /** This setback after the wall clock was set by so much. */
    public DeviceBackoff moved(Duration by) {
        return new DeviceBackoff(reason, message, notBefore.plus(by), count);
    }
}
