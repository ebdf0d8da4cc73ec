package dev.lightpath.app.access;

import java.io.Serial;

/** A request is refused. */
public final class Refused extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final int status;

    /**
     * @param status of HTTP
     * @param line why, and what to do: one line for the caller
     */
    public Refused(int status, String line) {
        super(line, null, false, false);
        this.status = status;
    }

    int status() {
        return status;
    }
}
