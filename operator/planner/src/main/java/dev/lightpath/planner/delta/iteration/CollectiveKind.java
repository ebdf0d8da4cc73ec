package dev.lightpath.planner.delta.iteration;

/**
 * What ranks do together, with the traffic of a ring that passes each pod once (all-to-all: every pod to every other).
 */
public enum CollectiveKind {
    /** Every member ends with the sum. */
    ALL_REDUCE,
    /** Every member ends with the inputs of all. */
    ALL_GATHER,
    /** Every member ends with its share of the sum. */
    REDUCE_SCATTER,
    /** Every member ends with its share of each input. */
    ALL_TO_ALL,
    /** Every member ends with the input of one. */
    BROADCAST,
    /** Every member waits for all others. */
    BARRIER;

    /**
     * Bytes over each hop of a ring of {@code members}, for {@code ranks} ranks with an input of {@code bytes} each.
     * Members are ranks, or pods that first combine the inputs of their ranks. 2 (n-1)/n S for all-reduce, the traffic
     * of DELTA's gradient exchange (section V-A1). O(1).
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
