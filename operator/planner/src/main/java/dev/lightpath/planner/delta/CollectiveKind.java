package dev.lightpath.planner.delta;

/** What ranks do together, with the traffic of a ring that passes each pod once (all-to-all: every pod to every other). */
public enum CollectiveKind {
    /** Everybody ends with the sum. */
    ALL_REDUCE,
    /** Everybody ends with what all put in. */
    ALL_GATHER,
    /** Everybody ends with its share of the sum. */
    REDUCE_SCATTER,
    /** Everybody ends with its share of what each put in. */
    ALL_TO_ALL,
    /** Everybody ends with what one put in. */
    BROADCAST,
    /** Everybody waits for all. */
    BARRIER;

    /**
     * Bytes over each hop of a ring of {@code members}, when {@code ranks} ranks put in {@code bytes} each and members are ranks, or
     * pods that first combine what their ranks have: 2 (n-1)/n S for all-reduce, the traffic of DELTA's gradient exchange (section V-A1).
     * O(1).
     *
     * @param members hops of the ring, at least 1
     * @param ranks at least as many
     */
    public double bytesPerHop(int members, int ranks, double bytes) {
        double share = (members - 1.0) / members;
        return switch (this) {
            case ALL_REDUCE -> 2 * share * bytes;
            case ALL_GATHER -> share * ranks * bytes;
            case REDUCE_SCATTER, ALL_TO_ALL -> share * bytes;
            case BROADCAST -> members > 1 ? bytes : 0;
            case BARRIER -> 0;
        };
    }
}
