package dev.lightpath.reading.traffic;

/**
 * How much is read of the traces of a job, all files together. What is small when packed need not be small unpacked.
 *
 * @param bytes of records, unpacked
 * @param nodes of all ranks
 * @param dependencies of these, and ranks that the traces name as members of process groups
 * @param members ranks of all collectives, one counted for each collective it is in on each rank
 */
public record TraceLimits(long bytes, long nodes, long dependencies, long members) {
    /** No limit: for files that the user chose. */
    public static final TraceLimits NONE =
            new TraceLimits(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

    /**
     * For untrusted input: several times the honest traces that fit into the megabyte of a ConfigMap. Below 200 MB of
     * memory.
     */
    public static final TraceLimits CONFIG_MAP = new TraceLimits(1 << 25, 1 << 18, 1 << 20, 1 << 26);
}
