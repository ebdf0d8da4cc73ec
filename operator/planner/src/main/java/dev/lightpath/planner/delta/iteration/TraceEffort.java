package dev.lightpath.planner.delta.iteration;

/**
 * How much is spent on one recorded iteration. Exchanges of many pods with each other make the steps after them wait
 * for thousands of transfers, which are compared pair by pair.
 *
 * @param transfers between pods, each counted as eight and its ranks
 * @param kept transfers that steps wait for, all steps together, 12 bytes each
 * @param looks at pairs of these, where a step waits for more than one other
 * @param dependencies of transfers on each other that remain, some 30 bytes each
 */
public record TraceEffort(long transfers, long kept, long looks, long dependencies) {
    /** As much as it takes. */
    public static final TraceEffort ALL =
            new TraceEffort(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

    /** For an untrusted trace: seconds of one core and 200 MB. */
    public static final TraceEffort BOUNDED = new TraceEffort(1L << 20, 1L << 23, 1L << 32, 1L << 19);
}
