package dev.lightpath.app.loop;

/** The ledger cannot be read now: the API server does not answer, or refuses. */
public final class LedgerUnread extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public LedgerUnread(String why, Throwable cause) {
        super(why, cause);
    }
}
