package dev.lightpath.app.kueue;

import dev.lightpath.planner.words.Words;

/**
 * What the operator answers to its check of a Workload.
 *
 * @param message at most {@value #LONGEST} characters are written
 */
public record CheckAnswer(CheckState state, String message) {
    static final int LONGEST = 4096;

    public static CheckAnswer ready(String message) {
        return new CheckAnswer(CheckState.READY, message);
    }

    public static CheckAnswer pending(String message) {
        return new CheckAnswer(CheckState.PENDING, message);
    }

    public static CheckAnswer retry(String message) {
        return new CheckAnswer(CheckState.RETRY, message);
    }

    public CheckAnswer {
        message = Words.shortened(message, LONGEST);
    }
}
