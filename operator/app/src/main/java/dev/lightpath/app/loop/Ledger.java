package dev.lightpath.app.loop;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.SliceId;
import java.util.List;
import java.util.SortedMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The recorded allocations: the truth about what was meant. Read from the API server, never from a cache that may be
 * stale; the answer to an own write is the newest there is.
 */
public interface Ledger {
    /** What is recorded now, by slice; without those of {@link #unreadable}. */
    SortedMap<SliceId, LedgerEntry> entries();

    /** Records that this version cannot read, as of the last {@link #entries}, each with the reason for a person. */
    SortedMap<SliceId, String> unreadable();

    /**
     * Writes the entries and returns at once. Entries that have a node in common are written in order, up to the first
     * that fails; the others side by side. A record that fails is read again: another process may have written it.
     *
     * Called again while others are being written, about other slices that have no node in common with those.
     *
     * @param written called from any thread for each that is written, when {@link #entries()} shows it
     * @param refused the same for each that is not written though the API server answers, with the reason
     * @param done called once after that, from any thread, when {@link #entries()} shows the outcome of all
     */
    void record(
            List<Decision.Adopt.Entry> entries,
            Consumer<Decision.Adopt.Entry> written,
            BiConsumer<Decision.Adopt.Entry, String> refused,
            Runnable done);
}
