package dev.lightpath.app.kueue;

import dev.lightpath.planner.words.Words;

/**
 * What the operator answers to its check of a Workload.
 *
 * @param message at most {@value #LONGEST} characters are written
 * @param costly whether a further try costs other Workloads their quota for nothing, as far as one can tell
 */
public record CheckAnswer(CheckState state, String message, boolean costly) {
    static final int LONGEST = 4096;

    public static CheckAnswer ready(String message) {
        return new CheckAnswer(CheckState.READY, message, false);
    }

    public static CheckAnswer pending(String message) {
        return new CheckAnswer(CheckState.PENDING, message, false);
    }

    public static CheckAnswer retry(String message) {
        return new CheckAnswer(CheckState.RETRY, message, false);
    }

    /** The same, where a try has no prospect, or took quota from others and was in vain. */
    public static CheckAnswer retryMuchLater(String message) {
        return new CheckAnswer(CheckState.RETRY, message, true);
    }

    public CheckAnswer {
        message = Words.shortened(message, LONGEST);
    }
}
