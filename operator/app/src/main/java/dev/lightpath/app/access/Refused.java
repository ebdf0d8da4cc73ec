package dev.lightpath.app.access;

import java.io.Serial;

/** Somebody is not answered as they asked. */
public final class Refused extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final int status;

    /**
     * @param status of HTTP
     * @param line why, and what to do: one line for whoever asked
     */
    public Refused(int status, String line) {
        super(line, null, false, false);
        this.status = status;
    }

    int status() {
        return status;
    }
}
