package dev.lightpath.planner.fault;

import java.time.Duration;
import java.time.Instant;

/**
 * Trouble that counts.
 *
 * @param since when its signal was first seen
 * @param quarantined it came too often and stays until a person clears it
 * @param remark what a person says of it, on one line; empty where nobody does
 */
public record Fault(Subject subject, String reason, Instant since, boolean quarantined, String remark) {
    /** A fault of which nobody says anything. */
    public Fault(Subject subject, String reason, Instant since, boolean quarantined) {
        this(subject, reason, since, quarantined, "");
    }

    /** The same on a clock that was set. */
    Fault moved(Duration by) {
        return new Fault(subject, reason, since.plus(by), quarantined, remark);
    }

    /** The reason, and what a person says of it. */
    public String told() {
        return remark.isEmpty() ? reason : reason + ": " + remark;
    }
}
