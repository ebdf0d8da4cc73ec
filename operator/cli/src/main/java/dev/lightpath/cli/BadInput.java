package dev.lightpath.cli;

/**
 * Something the user wrote cannot be used. The message is the one line the user sees: what is wrong, where (file, field
 * or option) and what is allowed. Ends the program with exit code 2.
 */
public final class BadInput extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public BadInput(String message) {
        super(message);
    }

    public BadInput(String message, Throwable cause) {
        super(message, cause);
    }
}
