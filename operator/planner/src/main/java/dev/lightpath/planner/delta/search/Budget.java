package dev.lightpath.planner.delta.search;

/** Counts nodes against a limit and listens for the stop signal. */
public final class Budget {
    private final SearchLimits limits;
    private long spent;

    public Budget(SearchLimits limits) {
        this.limits = limits;
    }

    /** Takes one node. */
    void spend() {
        spent++;
    }

    void spend(long nodes) {
        spent += nodes;
    }

    boolean exhausted() {
        return spent >= limits.nodes() || stopped();
    }

    /** Whether what has begun ends now too; when only the nodes are spent, it is finished. */
    boolean stopped() {
        return limits.stop().getAsBoolean();
    }

    void report(double objective, double bound) {
        limits.progress().accept(new SearchLimits.Progress(objective, bound, spent));
    }
}
