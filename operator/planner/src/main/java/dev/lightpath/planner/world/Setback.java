package dev.lightpath.planner.world;

import java.time.Duration;
import java.time.Instant;

/**
 * A device that did not do what it was asked.
 *
 * @param reason a CamelCase word: Rejected or Indeterminate
 * @param message the device's or driver's own words
 * @param notBefore when it may be asked again
 * @param count how many times in a row it has not, from 1
 */
public record Setback(String reason, String message, Instant notBefore, int count) {
    /** The same on a clock that was set by so much. */
    public Setback moved(Duration by) {
        return new Setback(reason, message, notBefore.plus(by), count);
    }
}
