package dev.lightpath.planner.engine.ring;

import dev.lightpath.planner.engine.allocation.LedgerDraft;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingPlacement;
import dev.lightpath.planner.ring.placement.PlacementOutcome;
import dev.lightpath.planner.ring.placement.RingOrchestration;
import dev.lightpath.planner.ring.repair.RepairOutcome;
import dev.lightpath.planner.world.Origin.Planner;
import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.SliceId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Keeps slices in their places: repairs the groups that a fault broke, alone where that is possible, else by letting
 * others make way, and says what a repair waits for.
 */
final class RepairPlanner {
    private final RingSeats seats;
    private final RingFabric ring;
    private final Occupancy occupancy;
    private final RelocatableJobs relocatable;
    private final LedgerDraft draft;

    RepairPlanner(RingSeats seats) {
        this.seats = seats;
        this.ring = seats.ring();
        this.occupancy = seats.occupancy();
        this.relocatable = new RelocatableJobs(seats);
        this.draft = seats.draft();
    }

    /** What becomes of a slice that has a place. */
    Placement keep(SliceState slice) {
        if (draft.decided().contains(slice.id())) {
            return new Placement.Placed();
        }
        OwnRepair own = new OwnRepair(seats, slice);
        if (own.broken().isEmpty()) {
            return new Placement.Placed();
        }
        Optional<String> wait = seats.gate().wait(slice.intent(), own::brokenSince);
        return wait.isPresent()
                ? Placement.Faulted.waiting(own.faultyMembers(), wait.get() + prospect(slice, own))
                : repair(slice, own);
    }

    /** The spares that a repair will take once it may are kept for it. */
    private String prospect(SliceState slice, OwnRepair own) {
        if (slice.intent().replacement() instanceof Replacement.Never || !own.repairsAny()) {
            return "";
        }
        SortedSet<Integer> joining =
                new TreeSet<>(new RingPlacement(own.repaired().kept()).positions());
        joining.removeIf(seat -> own.placement().positions().contains(seat)
                && !own.replacements().contains(seat));
        occupancy.keep(slice.id(), joining);
        return joining.isEmpty() ? "" : "; then " + seats.names(joining) + " will join";
    }

    private Placement repair(SliceState slice, OwnRepair own) {
        draft.ran(Planner.LOCAL_REPAIR);
        RepairOutcome.Repaired repaired = own.repaired();
        if (repaired.lost().isEmpty()) {
            seats.give(slice, repaired, own.broken(), Planner.LOCAL_REPAIR);
            return Placement.Faulted.recording(own.faultyMembers());
        }
        boolean movable = seats.freeze() == ChangeFreeze.NONE && own.isAlone();
        Optional<Placement> amongOthers = movable ? amongOthers(slice, own) : Optional.empty();
        return amongOthers.orElseGet(() -> inPart(slice, own, movable));
    }

    /** As much as can be done by itself. */
    private Placement inPart(SliceState slice, OwnRepair own, boolean movable) {
        if (own.repairsAny()) {
            seats.give(slice, own.repaired(), own.broken(), Planner.LOCAL_REPAIR);
        }
        boolean elsewhere = movable
                && slice.intent().relocatable()
                && !occupancy.anyDarkening()
                && RingOrchestration.place(
                                ring,
                                own.healthAmongOthers(),
                                slice.least(),
                                occupancy.closedOnceGone(slice.id(), Set.of()))
                        instanceof PlacementOutcome.Placed;
        String where = own.isAlone() ? "" : "; only nodes in the pod of its stage may join";
        return Placement.Faulted.stuck(
                own.faultyMembers(), own.shortfall() + where + Shortage.ofSpares(seats, slice), elsewhere);
    }

    /** Lets other jobs make way, those without running pods first; empty where that repairs nothing. */
    private Optional<Placement> amongOthers(SliceState slice, OwnRepair own) {
        if (slice.demand().groupsPerNode(ring) > 1 || slice.intent().reconfiguration() == Reconfiguration.NEVER) {
            return Optional.empty();
        }
        draft.ran(Planner.MINIMAL_REPAIR);
        List<List<SliceState>> tiers = new ArrayList<>();
        tiers.add(List.of());
        tiers.addAll(relocatable.tiers(slice, false));
        for (List<SliceState> may : tiers) {
            List<SliceState> moved = new ArrayList<>(may);
            moved.add(slice);
            MultiJobRepair repair = MultiJobRepair.of(seats, own.healthAmongOthers(), moved);
            Optional<MultiJobRepair.Moves> now = repair.repair(false);
            if (occupancy.anyDarkening() && waits(slice, now, repair.repair(true))) {
                return Optional.of(Placement.Faulted.waiting(
                        own.faultyMembers(),
                        "a repair was found that waits until the light of nodes that others left is read back dark"));
            }
            // under running pods of others no more than the administrator allows
            if (now.isEmpty() || now.get().changedBeside(slice.id()) > relocatable.budget(may)) {
                continue;
            }
            if (slice.intent().relocatable() && isElsewhere(own.placement(), now.get(), slice.id())) {
                return Optional.empty();
            }
            seats.give(
                    now.get().records(),
                    Planner.MINIMAL_REPAIR,
                    (id, change) -> id.equals(slice.id())
                            ? change
                            : "makes way for " + slice.intent().job().toldTo(id.namespace()) + ": " + change);
            draft.settle(slice);
            return Optional.of(Placement.Faulted.recording(own.faultyMembers()));
        }
        return Optional.empty();
    }

    /** Whether fewer groups change if one waits for darkness; the seats are then kept. */
    private boolean waits(SliceState slice, Optional<MultiJobRepair.Moves> now, Optional<MultiJobRepair.Moves> later) {
        if (later.isEmpty()
                || now.isPresent() && now.get().changed() <= later.get().changed()) {
            return false;
        }
        occupancy.keep(slice.id(), later.get().joining());
        return true;
    }

    /** Where nothing of a job stays, it is no repair: the whole job is placed anew, as well as can be. */
    private static boolean isElsewhere(RingPlacement before, MultiJobRepair.Moves moves, SliceId id) {
        RingPlacement after = moves.records().get(id);
        return after != null && java.util.Collections.disjoint(before.positions(), after.positions());
    }
}
