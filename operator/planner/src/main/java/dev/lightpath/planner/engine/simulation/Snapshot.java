package dev.lightpath.planner.engine.simulation;

import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a {@link Simulation} starts from.
 *
 * @param now the moment of all its passes
 * @param rings by name, all that share jobs with the others; a paused one is planned as though it went on
 * @param ocsFabrics fabrics of optical switches by name, likewise
 * @param slices requests on these fabrics
 * @param ledger what is recorded for them
 * @param faulty what counts as faulty, besides what the signals of nodes say
 * @param unreadable nodes whose transceivers cannot be read: what is released there is not read back
 */
public record Snapshot(
        Instant now,
        SortedMap<String, RingIntent> rings,
        SortedMap<String, OcsIntent> ocsFabrics,
        SortedMap<SliceId, SliceIntent> slices,
        SortedMap<SliceId, LedgerEntry> ledger,
        List<Subject> faulty,
        SortedSet<String> unreadable) {
    public Snapshot {
        rings = Collections.unmodifiableSortedMap(new TreeMap<>(rings));
        ocsFabrics = Collections.unmodifiableSortedMap(new TreeMap<>(ocsFabrics));
        slices = Collections.unmodifiableSortedMap(new TreeMap<>(slices));
        ledger = Collections.unmodifiableSortedMap(new TreeMap<>(ledger));
        faulty = List.copyOf(faulty);
        unreadable = Collections.unmodifiableSortedSet(new TreeSet<>(unreadable));
    }

    /** Of several fabrics, all of whose devices can be read. */
    public Snapshot(
            Instant now,
            SortedMap<String, RingIntent> rings,
            SortedMap<String, OcsIntent> ocsFabrics,
            SortedMap<SliceId, SliceIntent> slices,
            SortedMap<SliceId, LedgerEntry> ledger,
            Collection<Subject> faulty) {
        this(now, rings, ocsFabrics, slices, ledger, List.copyOf(faulty), new TreeSet<>());
    }

    /** Of one ring, all of whose transceivers can be read. */
    public static Snapshot of(
            Instant now,
            RingIntent ring,
            SortedMap<SliceId, SliceIntent> slices,
            SortedMap<SliceId, LedgerEntry> ledger,
            Collection<Subject> faulty) {
        return new Snapshot(now, new TreeMap<>(Map.of(ring.name(), ring)), new TreeMap<>(), slices, ledger, faulty);
    }

    /** The same with more requests; one of a slice that is there already replaces it. */
    Snapshot asking(Collection<SliceIntent> more) {
        SortedMap<SliceId, SliceIntent> all = new TreeMap<>(slices);
        more.forEach(slice -> all.put(slice.id(), slice));
        return new Snapshot(now, rings, ocsFabrics, all, ledger, faulty, unreadable);
    }
}
