package dev.lightpath.planner.world;

import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.discovery.FabricDiscovery;
import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.light.Backoff;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.memory.FixedMap;
import dev.lightpath.planner.memory.PlannerCache;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * Everything one planning pass reads, {@code now} included. The same world leads to the same deliberation.
 *
 * @param now the moment of the pass
 * @param nextStage the name of the next stage, should one be started
 * @param rings fabrics by name
 * @param slices requests by slice
 * @param ledger records by slice; may hold slices that are not requested any more
 * @param drivers by endpoint
 * @param inFlight stages started whose outcome is not known
 * @param recording what is being written, by slice
 * @param refused slices whose last record the API server refused, until {@link Backoff#endsAt}
 * @param unsettled devices whose last change had an unknown outcome: read before any further write
 * @param observing devices that are being read for that reason
 * @param setbacks devices that refused or failed their last change, until {@link Backoff#endsAt}
 * @param faults the fault trackers of the pass before, by fabric
 * @param unreadable objects that cannot be read
 * @param ocsFabrics fabrics of optical switches, by name
 * @param answers answers of DELTA so far, by digest of the question
 * @param remembered results of the pass before that this one can reuse, by fabric
 * @param discoveries where fibres lead, as the pass before left it, by fabric
 * @param lineages what is known by now of the past of records, by fabric: it moves with every record, and a fabric is
 *     not described anew for that
 */
public record World(
        Instant now,
        StageId nextStage,
        SortedMap<String, RingIntent> rings,
        SortedMap<SliceId, SliceIntent> slices,
        SortedMap<SliceId, LedgerEntry> ledger,
        SortedMap<String, DriverState> drivers,
        List<Stage> inFlight,
        SortedMap<SliceId, Allocation> recording,
        SortedMap<SliceId, Backoff> refused,
        SortedSet<DeviceId> unsettled,
        SortedSet<DeviceId> observing,
        SortedMap<DeviceId, Backoff> setbacks,
        SortedMap<String, FaultTracker> faults,
        Unreadable unreadable,
        SortedMap<String, OcsIntent> ocsFabrics,
        SortedMap<String, TopologyAnswer> answers,
        SortedMap<String, PlannerCache> remembered,
        SortedMap<String, FabricDiscovery> discoveries,
        SortedMap<String, Lineage> lineages) {
    /** Names what is {@link #remembered} of all fabrics together. No fabric has this name. */
    public static final String ALL_FABRICS = "";

    public World {
        rings = FixedMap.copyOf(rings);
        slices = FixedMap.copyOf(slices);
        ledger = FixedMap.copyOf(ledger);
        drivers = FixedMap.copyOf(drivers);
        inFlight = List.copyOf(inFlight);
        recording = FixedMap.copyOf(recording);
        refused = FixedMap.copyOf(refused);
        observing = Collections.unmodifiableSortedSet(new TreeSet<>(observing));
        unsettled = Collections.unmodifiableSortedSet(new TreeSet<>(unsettled));
        setbacks = FixedMap.copyOf(setbacks);
        faults = FixedMap.copyOf(faults);
        ocsFabrics = FixedMap.copyOf(ocsFabrics);
        answers = FixedMap.copyOf(answers);
        remembered = FixedMap.copyOf(remembered);
        discoveries = FixedMap.copyOf(discoveries);
        lineages = FixedMap.copyOf(lineages);
    }

    /** A world in which nothing is under way, everything could be read, and no pass went before. */
    public static World atRest(
            Instant now,
            StageId nextStage,
            SortedMap<String, RingIntent> rings,
            SortedMap<String, OcsIntent> ocsFabrics,
            SortedMap<SliceId, SliceIntent> slices,
            SortedMap<SliceId, LedgerEntry> ledger,
            SortedMap<String, DriverState> drivers) {
        return new World(
                now,
                nextStage,
                rings,
                slices,
                ledger,
                drivers,
                List.of(),
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeSet<>(),
                new TreeSet<>(),
                new TreeMap<>(),
                new TreeMap<>(),
                Unreadable.none(),
                ocsFabrics,
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>());
    }

    /** This world with the results of earlier passes. */
    public World with(
            SortedMap<String, FaultTracker> faults,
            SortedMap<String, TopologyAnswer> answers,
            SortedMap<String, PlannerCache> remembered) {
        return with(ledger, drivers, faults, answers, remembered);
    }

    /** This world after these allocations are recorded. O(slices). */
    public World assuming(Map<SliceId, Allocation> recorded) {
        if (recorded.isEmpty()) {
            return this;
        }
        SortedMap<SliceId, LedgerEntry> after = new TreeMap<>(ledger);
        recorded.forEach((slice, allocation) -> after.computeIfPresent(
                slice, (id, entry) -> new LedgerEntry(Optional.of(allocation), entry.version())));
        return with(after, drivers, faults, answers, remembered);
    }

    /** This world with other drivers. */
    public World with(SortedMap<String, DriverState> others) {
        return with(ledger, others, faults, answers, remembered);
    }

    /** A copy with these components; all others stay. */
    private World with(
            SortedMap<SliceId, LedgerEntry> ledger,
            SortedMap<String, DriverState> drivers,
            SortedMap<String, FaultTracker> faults,
            SortedMap<String, TopologyAnswer> answers,
            SortedMap<String, PlannerCache> remembered) {
        return new World(
                now,
                nextStage,
                rings,
                slices,
                ledger,
                drivers,
                inFlight,
                recording,
                refused,
                unsettled,
                observing,
                setbacks,
                faults,
                unreadable,
                ocsFabrics,
                answers,
                remembered,
                discoveries,
                lineages);
    }

    /**
     * Whether this is that world at another moment: but for {@code now} and what is remembered, all of it is the same
     * objects, or equal where there is little. Linear in slices, or constant.
     */
    public boolean isAt(World other) {
        return nextStage.equals(other.nextStage)
                && FixedMap.sameObjects(rings, other.rings)
                && FixedMap.sameObjects(ocsFabrics, other.ocsFabrics)
                && FixedMap.sameObjects(drivers, other.drivers)
                && FixedMap.sameObjects(faults, other.faults)
                && FixedMap.sameObjects(answers, other.answers)
                && FixedMap.sameObjects(slices, other.slices)
                && FixedMap.sameObjects(ledger, other.ledger)
                && discoveries.equals(other.discoveries)
                && lineages.equals(other.lineages)
                && inFlight.equals(other.inFlight)
                && recording.equals(other.recording)
                && refused.equals(other.refused)
                && unsettled.equals(other.unsettled)
                && observing.equals(other.observing)
                && setbacks.equals(other.setbacks)
                && unreadable.equals(other.unreadable);
    }

    /** Slices of which another world said something else, by identity: constant where nothing changed. */
    public Set<SliceId> changedSince(
            SortedMap<SliceId, SliceIntent> otherSlices, SortedMap<SliceId, LedgerEntry> otherLedger) {
        Set<SliceId> changed = new HashSet<>();
        FixedMap.changes(otherSlices, slices, (id, was, is) -> changed.add(id));
        FixedMap.changes(otherLedger, ledger, (id, was, is) -> changed.add(id));
        return changed;
    }

    /** Every fabric: the rings before those of switches, by name. */
    public List<FabricIntent> fabrics() {
        List<FabricIntent> fabrics = new ArrayList<>(rings.values());
        fabrics.addAll(ocsFabrics.values());
        return fabrics;
    }

    /** The driver at an endpoint; an unknown one counts as never reached. */
    public DriverState driver(String endpoint) {
        DriverState driver = drivers.get(endpoint);
        return driver == null ? DriverState.unheard("never heard") : driver;
    }

    /** What is known by now of the past of a fabric's records. */
    public Lineage lineage(FabricIntent fabric) {
        return lineages.getOrDefault(fabric.name(), fabric.policy().lineage());
    }

    /**
     * Revision of the records of a fabric as they are: one above the last that its status tells if they changed since.
     * 0 if it tells none. O(slices).
     */
    public long ledgerRevision(FabricIntent of) {
        String fabric = of.name();
        Lineage lineage = lineage(of);
        return lineage.revision() == 0 || lineage.digest().equals(ledgerDigest(fabric))
                ? lineage.revision()
                : lineage.revision() + 1;
    }

    /** Names the records of a fabric. It does not change when circuits are read back as gone. O(slices). */
    public String ledgerDigest(String fabric) {
        return Lineage.Digest.of(this, fabric).toString();
    }

    /** Reusable results of the pass before about a fabric. */
    public PlannerCache cacheOf(String fabric) {
        return remembered.getOrDefault(fabric, PlannerCache.nothing());
    }

    /** The device, if its driver ever reported it. */
    public Optional<DeviceState> device(DeviceId id) {
        return Optional.ofNullable(driver(id.driver()).devices().get(id.device()));
    }

    /** The device of a switch, if the fabric has that and its driver ever reported it. */
    public Optional<DeviceState> device(OcsIntent fabric, String opticalSwitch) {
        return Optional.ofNullable(fabric.switches().get(opticalSwitch)).flatMap(of -> device(of.device()));
    }

    /** The recorded allocation of a slice, if any. */
    public Optional<Allocation> allocation(SliceId slice) {
        LedgerEntry entry = ledger.get(slice);
        return entry == null ? Optional.empty() : entry.allocation();
    }

    /** The recorded allocations of the slices of a fabric. O(slices). */
    public void forEachAllocation(FabricIntent fabric, BiConsumer<SliceId, Allocation> each) {
        for (SliceIntent slice : slices.values()) {
            if (slice.fabric().equals(fabric.name())) {
                allocation(slice.id()).ifPresent(recorded -> each.accept(slice.id(), recorded));
            }
        }
    }

    /** Why the API server refused the record of a slice several times in a row, in its words. */
    public Optional<String> refusesRecord(SliceId slice) {
        return Optional.ofNullable(refused.get(slice)).filter(Backoff::often).map(Backoff::message);
    }

    /** Devices nothing may be planned on: a stage is changing them, or their state is not known. */
    public SortedSet<DeviceId> locked() {
        SortedSet<DeviceId> locked = new TreeSet<>(unsettled);
        locked.addAll(observing);
        inFlight.forEach(stage -> locked.addAll(stage.devices()));
        return locked;
    }

    /** Whether a device that failed its last change must not be commanded yet. */
    public boolean waits(DeviceId device) {
        Backoff backoff = setbacks.get(device);
        return backoff != null && backoff.waits(now);
    }

    /** Whether a slice whose last record was refused must not be recorded yet. */
    public boolean waits(SliceId slice) {
        Backoff backoff = refused.get(slice);
        return backoff != null && backoff.waits(now);
    }

    /** Whether a device failed several recent changes in a row, whatever it answered. */
    public boolean failsAgain(DeviceId device) {
        Backoff backoff = setbacks.get(device);
        return backoff != null && backoff.often();
    }

    /**
     * Whether a device has refused several recent changes in a row (ADR 29). A new attempt that has no answer yet does
     * not end that.
     */
    public boolean refuses(DeviceId device) {
        Backoff backoff = setbacks.get(device);
        return backoff != null && backoff.refused() && failsAgain(device);
    }
}
