package dev.lightpath.planner.engine.simulation;

import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.SliceId;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a fault would do to jobs on rings and on switches: two simulations until nothing more is recorded, first as
 * things are and then with the fault ({@link FaultSimulation}).
 *
 * @param effects of slices that it concerns, by slice
 * @param settled false when decisions went on after many passes: what is shown is how far they came
 */
public record FaultPreview(SortedMap<SliceId, Effect> effects, boolean settled) {
    /**
     * What becomes of one slice.
     *
     * @param before its record as all would settle without the fault, which need not be what is recorded now
     * @param after its record as all would settle with it
     * @param placement how it stands then
     * @param origin how its new record came about, empty where it is the same
     */
    public record Effect(
            Optional<Allocation> before, Optional<Allocation> after, Placement placement, Optional<Origin> origin) {
        /**
         * Whether a job is left with something broken, or without a place, though what it may wait for has come. A
         * slice that waits for pods must have been simulated without them.
         */
        public boolean unrepaired() {
            return switch (placement) {
                case Placement.Faulted faulted -> !faulted.relocatable();
                case Placement.Unplaced unplaced -> true;
                case Placement.Placed placed -> false;
                case Placement.Releasing releasing -> false;
                case Placement.Released released -> false;
            };
        }

        /** Whether nothing fits where it is, but the whole job may and can be placed anew. */
        public boolean placedAnew() {
            return placement instanceof Placement.Faulted faulted && faulted.relocatable();
        }
    }

    public FaultPreview {
        effects = Collections.unmodifiableSortedMap(new TreeMap<>(effects));
    }

    /** What differs between two simulations. */
    static FaultPreview between(Simulation.Rest calm, Simulation.Rest after) {
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
