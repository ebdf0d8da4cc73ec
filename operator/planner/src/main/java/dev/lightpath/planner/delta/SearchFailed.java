package dev.lightpath.planner.delta;

/** A search that runs elsewhere ended without an answer. The message, for a person, says why. */
public final class SearchFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public SearchFailed(String message) {
        super(message);
    }
}
