package dev.lightpath.planner.world;

import java.util.Optional;

/**
 * The recorded state of a slice.
 *
 * @param allocation empty until one is recorded
 * @param version the resourceVersion the record was read at; a write names it, and a conflict means think again
 * @param lost whether somebody took the allocation off the API server since it was recorded: it has to be written again
 * @param hadRecord whether one was recorded ever, as a mark outside the record says that outlives it
 */
public record LedgerEntry(Optional<Allocation> allocation, String version, boolean lost, boolean hadRecord) {
    public LedgerEntry {
        if (lost && allocation.isEmpty()) {
            throw new IllegalArgumentException("nothing was recorded at version " + version + " that could be lost");
        }
    }

    /** Of a record that is where it was written, or that nobody has written yet. */
    public LedgerEntry(Optional<Allocation> allocation, String version) {
        this(allocation, version, false, allocation.isPresent());
    }

    /** Of a slice whose record is not there, though it had one. */
    public static LedgerEntry missing(String version) {
        return new LedgerEntry(Optional.empty(), version, false, true);
    }
}
