package dev.lightpath.planner.light;

import java.time.Duration;
import java.time.Instant;

/**
 * A device that did not make its last change, or a record that the API server refused.
 *
 * @param reason {@link Reason#REJECTED} or {@link Reason#INDETERMINATE}
 * @param message the words of the device, its driver or the API server
 * @param notBefore when it may be tried again
 * @param count how many times in a row it failed, from 1
 */
public record Backoff(Reason reason, String message, Instant notBefore, int count) {
    /** How long it is remembered after it may be tried again. */
    private static final Duration REMEMBERED = Duration.ofMinutes(1);

    /** This many in a row are no coincidence. */
    private static final int OFTEN = 3;

    /** Whether it was refused. */
    public boolean refused() {
        return reason == Reason.REJECTED;
    }

    /** Whether several recent tries in a row failed. */
    public boolean often() {
        return count >= OFTEN;
    }

    /** Whether it must not be tried yet. */
    public boolean waits(Instant now) {
        return now.isBefore(notBefore);
    }

    /** From then on it says nothing any more: nobody has tried for long. */
    public Instant endsAt() {
        return notBefore.plus(REMEMBERED);
    }

    public boolean isOver(Instant now) {
        return !now.isBefore(endsAt());
    }

    /** The same after the wall clock was set by so much. */
    public Backoff moved(Duration by) {
        return new Backoff(reason, message, notBefore.plus(by), count);
    }
}
