package dev.lightpath.console.text;

import dev.lightpath.planner.words.Words;
import java.util.List;

/**
 * Something the user wrote cannot be used. The message is the one line the user sees: what is wrong, where (file, field
 * or option) and what is allowed. The command line ends with exit code 2, a console answers 400.
 */
public final class BadInput extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What the input has on several lines is shown on one. */
    public BadInput(String message) {
        super(onOneLine(message));
    }

    /** What the input has on several lines is shown on one. */
    public BadInput(String message, Throwable cause) {
        super(onOneLine(message), cause);
    }

    /** That there is nothing of this name, and what there is instead. @param where ends the name's clause */
    public static BadInput unknown(String kind, String name, String where, List<String> known) {
        return new BadInput("there is no " + kind + " " + name + where + "; " + some(known));
    }

    /** Says what there is, the first few by name. */
    public static String some(List<String> known) {
        return known.isEmpty() ? "there are none" : "there are " + Words.first(5, known);
    }

    private static String onOneLine(String message) {
        return message.replaceAll("\\p{Cntrl}+", " ");
    }
}
