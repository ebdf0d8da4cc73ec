package dev.lightpath.cli;

/**
 * Something the user wrote cannot be used. The message is the one line the user sees: what is wrong, where (file, field
 * or option) and what is allowed. Ends the program with exit code 2.
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

    private static String onOneLine(String message) {
        return message.replaceAll("\\p{Cntrl}+", " ");
    }
}
