package dev.lightpath.planner.fault;

import java.time.Duration;

/**
 * An observation that something is wrong now.
 *
 * @param subject what is wrong
 * @param reason a CamelCase word, the same for the same kind of trouble
 * @param hold how long it must last before it counts as a fault
 * @param occasion the operator's own action that may cause it, which starts a new count; empty if no such action can
 * @param lasting whether it stays until a person ends it once it counts, because the signal may go without an
 *     improvement
 * @param remark a person's words about it, on one line; empty if there are none
 */
public record Signal(Subject subject, String reason, Duration hold, String occasion, boolean lasting, String remark) {
    public Signal(Subject subject, String reason, Duration hold) {
        this(subject, reason, hold, "", false, "");
    }

    /** This signal with a person's remark. */
    public Signal remarked(String words) {
        return new Signal(subject, reason, hold, occasion, lasting, words);
    }

    /** This signal, which the named action of the operator may cause. */
    public Signal dueTo(String ours) {
        return new Signal(subject, reason, hold, ours, lasting, remark);
    }

    /** This signal, which only a person ends. */
    public Signal untilCleared() {
        return new Signal(subject, reason, hold, occasion, true, remark);
    }
}
