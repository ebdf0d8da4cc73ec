package dev.lightpath.planner.fault;

import java.time.Duration;

/**
 * Something looks wrong now.
 *
 * @param subject what
 * @param reason a CamelCase word, the same for the same trouble
 * @param hold how long it must last before it counts as a fault
 * @param occasion what of ours it may be due to, which makes a new start; empty where nothing of ours can make it come and go
 * @param lasting whether it stays until a person ends it, once it counts: it can go without anything being better
 * @param remark what a person says of it, on one line; empty where nobody does
 */
public record Signal(Subject subject, String reason, Duration hold, String occasion, boolean lasting, String remark) {
    public Signal(Subject subject, String reason, Duration hold) {
        this(subject, reason, hold, "", false, "");
    }

    /** The same trouble, in the words of the person who says so. */
    public Signal remarked(String words) {
        return new Signal(subject, reason, hold, occasion, lasting, words);
    }

    /** The same trouble, which may come from this of ours. */
    public Signal dueTo(String ours) {
        return new Signal(subject, reason, hold, ours, lasting, remark);
    }

    /** The same trouble, which only a person ends. */
    public Signal untilCleared() {
        return new Signal(subject, reason, hold, occasion, true, remark);
    }
}
