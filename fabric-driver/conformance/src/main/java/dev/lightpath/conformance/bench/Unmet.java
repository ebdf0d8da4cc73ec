package dev.lightpath.conformance.bench;

/** A requirement is not met. */
public final class Unmet extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String expected;
    private final String seen;

    public Unmet(String expected, String seen) {
        super("expected " + expected + ", seen " + seen, null, false, true);
        this.expected = expected;
        this.seen = seen;
    }

    public String expected() {
        return expected;
    }

    public String seen() {
        return seen;
    }
}
