package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.ring.RingLedger;
import dev.lightpath.planner.fault.FaultBook;
import dev.lightpath.planner.fault.Hearing;
import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What passes on paper take for given: drivers in contact, faults that are long known, records that are written at once, and light
 * that is read back dark as soon as it is given up.
 *
 * @param silent nodes whose transceivers cannot be read: what is given up there is not read back
 */
record Paper(SortedSet<String> silent) {
    Paper {
        silent = Collections.unmodifiableSortedSet(new TreeSet<>(silent));
    }

    /** All that is given up is read back. */
    static Paper readable() {
        return new Paper(new TreeSet<>());
    }

    /** In contact, with no device of which anything is known. */
    static DriverState driver() {
        return new DriverState(DriverState.Contact.SYNCED, Optional.empty(), "paper", "", 0, new TreeMap<>());
    }

    /**
     * Faults that were known before anybody had to be repaired.
     *
     * @param nodes what the fabric's nodes signal
     * @param faulty what counts as faulty besides
     */
    static FaultBook book(Instant now, Stream<Signal> nodes, Collection<Subject> faulty, FabricPolicy policy) {
        Instant known = now.minus(RingLedger.REPAIRS_FIRST);
        List<Signal> signals =
                new ArrayList<>(nodes.map(signal -> new Signal(signal.subject(), signal.reason(), Duration.ZERO))
                        .toList());
        faulty.forEach(subject -> signals.add(new Signal(subject, "Known", Duration.ZERO)));
        return FaultBook.opened(known)
                .advance(signals, Hearing.everything(), known, FaultBook.Policy.standard(policy.clear()));
    }

    /** These records as they are read back, and an empty one for each slice that has none. */
    SortedMap<SliceId, LedgerEntry> ledger(
            SortedMap<SliceId, SliceIntent> slices, SortedMap<SliceId, LedgerEntry> recorded) {
        SortedMap<SliceId, LedgerEntry> ledger = new TreeMap<>();
        recorded.forEach((slice, entry) -> ledger.put(slice, readBack(entry.allocation(), entry.version())));
        slices.keySet().forEach(slice -> ledger.putIfAbsent(slice, new LedgerEntry(Optional.empty(), "")));
        return ledger;
    }

    /** Writes what a pass decided into the ledger. */
    List<RingPreview.Step> record(List<Decision.Adopt.Entry> entries, SortedMap<SliceId, LedgerEntry> ledger) {
        List<RingPreview.Step> steps = new ArrayList<>();
        for (Decision.Adopt.Entry entry : entries) {
            ledger.put(entry.slice(), readBack(Optional.of(entry.allocation()), entry.version()));
            steps.add(new RingPreview.Step(entry.slice(), entry.allocation().origin(), entry.allocation()));
        }
        return steps;
    }

    private LedgerEntry readBack(Optional<Allocation> allocation, String version) {
        return new LedgerEntry(allocation.map(this::readBack), version);
    }

    private Allocation readBack(Allocation allocation) {
        SortedSet<String> left = new TreeSet<>(allocation.releasing());
        left.retainAll(silent);
        return new Allocation(
                allocation.revision(),
                allocation.groups(),
                left,
                allocation.origin(),
                allocation.circuits(),
                SwitchedLight.none(),
                allocation.prediction());
    }
}
