package dev.lightpath.conformance.bench;

/** The kit cannot or must not run against this device; the message is one line that says why and what is allowed. */
public final class Unusable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Unusable(String why) {
        super(why, null, false, false);
    }
}
