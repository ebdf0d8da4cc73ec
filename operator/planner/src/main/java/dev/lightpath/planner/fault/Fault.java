package dev.lightpath.planner.fault;

import java.time.Duration;
import java.time.Instant;

/**
 * A signal that counts as a fault.
 *
 * @param since when its signal was first seen
 * @param quarantined it came too often and stays until a person clears it
 * @param remark a person's words about it, on one line; empty if there are none
 */
public record Fault(Subject subject, String reason, Instant since, boolean quarantined, String remark) {
    /** This fault after the wall clock was set. */
    Fault moved(Duration by) {
        return new Fault(subject, reason, since.plus(by), quarantined, remark);
    }

    /** The reason, and a person's remark. */
    public String told() {
        return remark.isEmpty() ? reason : reason + ": " + remark;
    }
}
