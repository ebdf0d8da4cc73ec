package dev.lightpath.planner.delta;

/**
 * How much is spent on one recorded iteration. Exchanges of many pods with each other make the steps after them wait for thousands of
 * transfers, which are compared pair by pair.
 *
 * @param transfers between pods, each counted as eight and its ranks
 * @param kept transfers that steps wait for, all steps together, 12 bytes each
 * @param looks at pairs of these
 */
public record TraceEffort(long transfers, long kept, long looks) {
    /** As much as it takes. */
    public static final TraceEffort ALL = new TraceEffort(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

    /** For a trace of anybody's: seconds of one core and 200 MB. */
    public static final TraceEffort BOUNDED = new TraceEffort(1L << 20, 1L << 23, 1L << 32);
}
