package dev.lightpath.planner.world;

import java.util.Optional;

/**
 * The recorded state of a slice.
 *
 * @param allocation empty until one is recorded
 * @param version the resourceVersion at which the record was read; a write names it, and a conflict means to plan again
 * @param lost whether the allocation was removed from the API server since it was recorded: it has to be written again
 * @param hadRecord whether one was ever recorded, as a mark says that outlives the record
 */
public record LedgerEntry(Optional<Allocation> allocation, String version, boolean lost, boolean hadRecord) {
    public LedgerEntry {
        if (lost && allocation.isEmpty()) {
            throw new IllegalArgumentException("nothing was recorded at version " + version + " that could be lost");
        }
    }

    /** An entry whose record was not lost; it may not be written yet. */
    public LedgerEntry(Optional<Allocation> allocation, String version) {
        this(allocation, version, false, allocation.isPresent());
    }

    /** An entry of a slice that had a record and has none now. */
    public static LedgerEntry missing(String version) {
        return new LedgerEntry(Optional.empty(), version, false, true);
    }
}
