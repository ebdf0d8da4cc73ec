package dev.lightpath.reading.traffic;

/**
 * How much of a trace may be read: a small file can be compressed from a large one, and who reads it serves others too. Counts down as
 * records are read.
 */
final class Allowance {
    /** Records and bytes that an operator with 512 MiB reads beside its work (ADR 74). */
    private static final int RECORDS = 1 << 17;

    private static final long BYTES = 1L << 26;

    private final long most;
    private final long mostBytes;
    private long records;
    private long bytes;

    private Allowance(long most, long mostBytes) {
        this.most = most;
        this.mostBytes = mostBytes;
    }

    /** For files that a person reads on a machine of his own. */
    static Allowance unlimited() {
        return new Allowance(Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /** For what anybody puts into a ConfigMap. */
    static Allowance ofOperator() {
        return new Allowance(RECORDS, BYTES);
    }

    /** Whether another record of so many bytes may be read. */
    boolean take(int length) {
        records++;
        bytes += length;
        return records <= most && bytes <= mostBytes;
    }

    /** What is allowed, for people. */
    String words() {
        return "allowed: " + most + " records and " + mostBytes
                + " bytes in the files of all ranks; record fewer micro-batches";
    }
}
