package dev.lightpath.planner.engine.ring;

import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingPlacement;
import dev.lightpath.planner.ring.placement.PlacementOutcome;
import dev.lightpath.planner.ring.placement.RingOrchestration;
import dev.lightpath.planner.ring.repair.RepairOutcome;
import dev.lightpath.planner.world.Demand;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Keeps slices in their places as {@link RepairPlanner} does. An elastic one shrinks where no repair is left, and grows
 * where there is room and no pod uses its light.
 */
final class ElasticJobs {
    private final RingSeats seats;
    private final RingState state;
    private final RingFabric ring;
    private final Occupancy occupancy;
    private final RepairPlanner repairs;

    ElasticJobs(RingSeats seats) {
        this.seats = seats;
        this.state = seats.state();
        this.ring = seats.ring();
        this.occupancy = seats.occupancy();
        this.repairs = new RepairPlanner(seats);
    }

    /** What becomes of a slice that has a place. What a repair can bring back is repaired in a pass before. */
    Placement keep(SliceState slice) {
        Placement kept = repairs.keep(slice);
        if (!slice.scaleUp().elastic()
                || seats.freeze() != ChangeFreeze.NONE
                || slice.intent().beside().isPresent()
                || seats.draft().decided().contains(slice.id())) {
            return kept;
        }
        return switch (kept) {
            case Placement.Placed placed -> widen(slice, placed);
            case Placement.Faulted faulted when faulted.degraded() -> narrow(slice, faulted);
            case Placement.Faulted faulted -> faulted;
            case Placement.Unplaced unplaced -> unplaced;
            case Placement.Releasing releasing -> releasing;
            case Placement.Released released -> released;
        };
    }

    /** Under pods it is told that it could grow, and who starts its pods waits for that at a restart. */
    private Placement widen(SliceState slice, Placement.Placed placed) {
        if (!(InitialPlacement.more(ring, state.health(), slice, occupancy.closedTo(slice.id()))
                instanceof InitialPlacement.Found more)) {
            return placed;
        }
        if (slice.usesLight()) {
            return new Placement.Placed(Optional.empty(), true);
        }
        List<RingGroup> groups = new ArrayList<>(slice.placement(ring).groups());
        groups.addAll(more.placement().groups());
        seats.give(slice, new RingPlacement(groups), more.planner(), more.why());
        return placed;
    }

    /** Goes on with fewer replicas, unless all of them can be elsewhere. What stays keeps its seats and its light. */
    private Placement narrow(SliceState slice, Placement.Faulted faulted) {
        OwnRepair own = new OwnRepair(seats, slice);
        if (slice.intent().relocatable() && allFitElsewhere(slice, own)) {
            return faulted;
        }
        RepairOutcome.Repaired repaired = own.repaired();
        List<Integer> left = left(slice.scaleUp(), own.placement().groups().size(), repaired.lost());
        if (left.isEmpty()) {
            return faulted;
        }
        seats.narrow(
                slice,
                repaired,
                own.broken(),
                left,
                "shrinks: " + slice.scaleUp().told(left.size()));
        return Placement.Faulted.recording(faulted.members());
    }

    /**
     * Which of its groups an elastic slice goes on with when some are lost: replicas that are whole, then what is left
     * of others, as many as make further replicas. Empty where that is too few.
     *
     * @param groups how many it has
     * @param lost indices of those that no repair brings back
     */
    private static List<Integer> left(Demand.ScaleUp asked, int groups, Set<Integer> lost) {
        List<Integer> whole = new ArrayList<>();
        List<Integer> loose = new ArrayList<>();
        int size = asked.groupsPerReplica();
        for (int first = 0; first < groups; first += size) {
            List<Integer> well = new ArrayList<>();
            for (int index = first; index < Math.min(groups, first + size); index++) {
                if (!lost.contains(index)) {
                    well.add(index);
                }
            }
            (well.size() == size ? whole : loose).addAll(well);
        }
        whole.addAll(loose);
        OptionalInt width = asked.width(whole.size());
        return width.isEmpty() ? List.of() : List.copyOf(whole.subList(0, width.getAsInt()));
    }

    private boolean allFitElsewhere(SliceState slice, OwnRepair own) {
        return RingOrchestration.place(
                        ring, own.healthAmongOthers(), slice.demand(), occupancy.closedOnceGone(slice.id(), Set.of()))
                instanceof PlacementOutcome.Placed;
    }
}
