package dev.lightpath.app.kueue;

import dev.lightpath.planner.words.Words;

/**
 * What the operator answers to its check of a Workload.
 *
 * @param message at most {@value #LONGEST} characters are written
 * @param forGood whether a further try has no prospect: each may cost other Workloads their quota
 */
public record CheckAnswer(CheckState state, String message, boolean forGood) {
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

    /** The same, of what no change of other jobs makes possible. */
    public static CheckAnswer retryMuchLater(String message) {
        return new CheckAnswer(CheckState.RETRY, message, true);
    }

    public CheckAnswer {
        message = Words.shortened(message, LONGEST);
    }
}
