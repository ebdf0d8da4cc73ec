package dev.lightpath.cli;

/**
 * A well-formed question without a solution. The message says why. Ends the program with exit code 1, and with
 * {@code {"infeasible": "..."}} on standard output when JSON was asked for.
 */
public final class Infeasible extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Infeasible(String message) {
        super(message);
    }
}
