package dev.lightpath.app.http;

/** That a request got no whole answer. Nothing of what a server sent is in it. */
public final class NoAnswer extends Exception {
    private static final long serialVersionUID = 1;

    /** In which way. */
    public enum Why {
        /** There was no whole answer within the patience of the call. */
        LATE,
        /** It has more bytes than the call reads. */
        TOO_LARGE,
        /** There is no connection. */
        UNREACHABLE,
        /** There is no TLS with who answers. */
        UNTRUSTED,
        /** The URL leads nowhere. */
        NO_ADDRESS,
        /** Who answers speaks something else. */
        NO_HTTP
    }

    private final Why why;

    NoAnswer(Why why) {
        super(why.toString());
        this.why = why;
    }

    public Why why() {
        return why;
    }
}
