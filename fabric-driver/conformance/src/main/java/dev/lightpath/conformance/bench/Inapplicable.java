package dev.lightpath.conformance.bench;

/** A requirement cannot be judged here; the message says why. */
public final class Inapplicable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Inapplicable(String why) {
        super(why, null, false, false);
    }
}
