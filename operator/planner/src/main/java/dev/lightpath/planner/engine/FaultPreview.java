package dev.lightpath.planner.engine;

import dev.lightpath.planner.delta.TopologyPlanner;
import dev.lightpath.planner.engine.SliceVerdict.Placement;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a fault would do to jobs on rings and on switches: the decisions of {@link FabricEngine#deliberate} rehearsed on paper until nothing
 * more is recorded, first as things are and then with the fault.
 *
 * @param effects of slices that it concerns, by slice
 * @param settled false when decisions went on after many passes: what is shown is how far they came
 */
public record FaultPreview(SortedMap<SliceId, Effect> effects, boolean settled) {
    /**
     * What becomes of one slice.
     *
     * @param before its record without the fault
     * @param after its record once all has been decided
     * @param placement how it stands then
     * @param origin how its new record came about, empty where it is the same
     */
    public record Effect(
            Optional<Allocation> before, Optional<Allocation> after, Placement placement, Optional<Origin> origin) {
        /** Whether a job is left with something broken, or without a place, that nothing can be done about. */
        public boolean unrepaired() {
            return switch (placement) {
                case Placement.Faulted faulted -> faulted.degraded();
                case Placement.Unplaced unplaced -> true;
                case Placement.Placed placed -> false;
                case Placement.Releasing releasing -> false;
                case Placement.Released released -> false;
            };
        }
    }

    public FaultPreview {
        effects = Collections.unmodifiableSortedMap(new TreeMap<>(effects));
    }

    /**
     * A few passes of the operator, and the time its questions take: each as long as its job allows.
     *
     * @param rings by name, all that share jobs with the others
     * @param spines by name
     * @param slices wishes on these fabrics
     * @param struck the same once the fault has struck: without the pods that it ends
     * @param ledger what is recorded for them
     * @param faulty what counts as faulty already, besides what the signals of nodes say
     * @param fault what fails
     */
    public static FaultPreview of(
            Instant now,
            SortedMap<String, RingIntent> rings,
            SortedMap<String, OcsIntent> spines,
            SortedMap<SliceId, SliceIntent> slices,
            SortedMap<SliceId, SliceIntent> struck,
            SortedMap<SliceId, LedgerEntry> ledger,
            Collection<Subject> faulty,
            Subject fault,
            TopologyPlanner planner) {
        Rest calm = rest(new PaperWorld(now, rings, spines, slices, ledger, faulty, planner), slices.size());
        List<Subject> all = new ArrayList<>(faulty);
        all.add(fault);
        Rest after = rest(new PaperWorld(now, rings, spines, struck, calm.ledger(), all, planner), slices.size());
        SortedMap<SliceId, Effect> effects = new TreeMap<>();
        after.verdicts().forEach((id, verdict) -> {
            Optional<Allocation> before = allocation(calm.ledger(), id);
            Optional<Allocation> then = allocation(after.ledger(), id);
            SliceVerdict was = calm.verdicts().get(id);
            boolean moved = !light(before).equals(light(then));
            if (moved || (was != null && !stands(was.placement()).equals(stands(verdict.placement())))) {
                effects.put(
                        id,
                        new Effect(
                                before,
                                then,
                                verdict.placement(),
                                moved ? then.flatMap(Allocation::origin) : Optional.empty()));
            }
        });
        return new FaultPreview(effects, calm.settled() && after.settled());
    }

    private record Rest(
            SortedMap<SliceId, LedgerEntry> ledger, SortedMap<SliceId, SliceVerdict> verdicts, boolean settled) {}

    private static Rest rest(PaperWorld paper, int slices) {
        int passes = 8 + 4 * slices;
        for (int pass = 1; ; pass++) {
            PaperWorld.Pass made = paper.pass();
            if (made.resting() || pass == passes) {
                return new Rest(paper.ledger(), made.heard().slices(), made.resting());
            }
        }
    }

    private static Optional<Allocation> allocation(SortedMap<SliceId, LedgerEntry> ledger, SliceId id) {
        return Optional.ofNullable(ledger.get(id)).flatMap(LedgerEntry::allocation);
    }

    /** What a job would notice of a record. */
    private static List<Object> light(Optional<Allocation> record) {
        return record.<List<Object>>map(of -> List.of(of.groups(), of.circuits(), of.prediction()))
                .orElse(List.of());
    }

    /** What of a placement differs when something has struck it; words about others do not count. */
    private static List<Object> stands(Placement placement) {
        return switch (placement) {
            case Placement.Faulted faulted -> List.of("Faulted", faulted.members(), faulted.degraded());
            case Placement.Unplaced unplaced -> List.of("Unplaced", unplaced.reason());
            case Placement.Placed placed -> List.of("Placed");
            case Placement.Releasing releasing -> List.of("Releasing");
            case Placement.Released released -> List.of("Released");
        };
    }
}
