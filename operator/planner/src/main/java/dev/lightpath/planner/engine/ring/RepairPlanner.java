package dev.lightpath.planner.engine.ring;

import dev.lightpath.planner.engine.allocation.LedgerDraft;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.pacing.RepairGate;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingHealth;
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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Keeps slices in their places: repairs the groups that a fault broke, alone where that is possible, else by letting
 * others make way, and says what a repair waits for.
 */
final class RepairPlanner {
    private final RingState state;
    private final ChangeFreeze freeze;
    private final RingFabric ring;
    private final Occupancy occupancy;
    private final AllocationWriter writer;
    private final LedgerDraft draft;
    private final RepairGate gate;

    RepairPlanner(
            RingState state, ChangeFreeze freeze, Occupancy occupancy, AllocationWriter writer, LedgerDraft draft) {
        this.state = state;
        this.freeze = freeze;
        this.ring = state.intent().ring();
        this.occupancy = occupancy;
        this.writer = writer;
        this.draft = draft;
        this.gate = new RepairGate(freeze, state.world().now());
    }

    /** What becomes of a slice that has a place. */
    Placement keep(SliceState slice) {
        if (draft.decided().contains(slice.id())) {
            return new Placement.Placed();
        }
        OwnRepair own = new OwnRepair(state, occupancy, writer, slice);
        if (own.broken().isEmpty()) {
            return new Placement.Placed();
        }
        Optional<String> wait = gate.wait(slice.intent(), own::brokenSince);
        gate.opensAt().ifPresent(draft::wake);
        return wait.isPresent()
                ? new Placement.Faulted(own.faultyMembers(), wait.get() + prospect(slice, own), false, false)
                : repair(slice, own);
    }

    /** The spares that a repair will take once it may are kept for it. */
    private String prospect(SliceState slice, OwnRepair own) {
        boolean never = slice.intent().replacement() instanceof Replacement.Never;
        return switch (own.found().outcome()) {
            case RepairOutcome.Repaired repaired
            when !never && own.repairsAny(repaired) -> {
                SortedSet<Integer> joining = new TreeSet<>(new RingPlacement(repaired.kept()).positions());
                joining.removeIf(seat -> own.placement().positions().contains(seat)
                        && !own.found().replacements().contains(seat));
                occupancy.keep(slice.id(), joining);
                yield joining.isEmpty() ? "" : "; then " + writer.names(joining) + " will join";
            }
            case RepairOutcome.Repaired repaired -> "";
            case RepairOutcome.NoRepair none -> "";
        };
    }

    private Placement repair(SliceState slice, OwnRepair own) {
        draft.ran(Planner.LOCAL_REPAIR);
        List<String> members = own.faultyMembers();
        Placement repaired = Placement.Faulted.recording(members);
        if (own.found().outcome() instanceof RepairOutcome.Repaired all
                && all.lost().isEmpty()) {
            writer.give(slice, all, own.broken(), Planner.LOCAL_REPAIR);
            return repaired;
        }
        RingHealth health = own.healthAmongOthers();
        boolean alone = own.isAlone();
        Minimal minimal = freeze == ChangeFreeze.NONE && alone ? minimal(slice, own.placement(), health) : Minimal.NONE;
        switch (minimal) {
            case RECORDED -> {
                draft.settle(slice);
                return repaired;
            }
            case WAITS -> {
                return new Placement.Faulted(
                        members,
                        "a repair was found that waits until the light of nodes that others left is read back dark",
                        false,
                        false);
            }
            case NONE -> {
                // as much as can be done by itself
            }
        }
        String why = switch (own.found().outcome()) {
            case RepairOutcome.Repaired some -> {
                if (own.repairsAny(some)) {
                    writer.give(slice, some, own.broken(), Planner.LOCAL_REPAIR);
                }
                yield "no spare within reach for " + some.lost().size() + " of its groups";
            }
            case RepairOutcome.NoRepair none -> none.reason();
        };
        boolean relocatable = freeze == ChangeFreeze.NONE
                && slice.intent().relocatable()
                && alone
                && !occupancy.anyDarkening()
                && RingOrchestration.place(ring, health, slice.least(), occupancy.closedOnceGone(slice.id(), Set.of()))
                        instanceof PlacementOutcome.Placed;
        String where = alone ? "" : "; only nodes in the pod of its stage may join";
        return new Placement.Faulted(
                members, why + where + Shortage.ofSpares(state, occupancy, slice), true, relocatable);
    }

    private enum Minimal {
        RECORDED,
        WAITS,
        NONE
    }

    /** Lets other jobs make way, those without running pods first. */
    private Minimal minimal(SliceState slice, RingPlacement placement, RingHealth health) {
        if (slice.demand().groupsPerNode(ring) > 1 || slice.intent().reconfiguration() == Reconfiguration.NEVER) {
            return Minimal.NONE;
        }
        draft.ran(Planner.MINIMAL_REPAIR);
        List<List<SliceState>> tiers = new ArrayList<>();
        tiers.add(List.of());
        tiers.addAll(writer.relocatableNow(slice));
        for (List<SliceState> may : tiers) {
            MultiJobRepair repair = writer.changing(may, health, Map.of(slice.id(), placement));
            Optional<MultiJobRepair.Moves> now = repair.repair(false);
            if (occupancy.anyDarkening() && waits(slice, now, repair.repair(true))) {
                return Minimal.WAITS;
            }
            // under running pods of others no more than the administrator allows
            if (now.isPresent() && now.get().changedBeside(slice.id()) > writer.budget(may)) {
                continue;
            }
            if (now.isPresent() && slice.intent().relocatable() && isElsewhere(placement, now.get(), slice.id())) {
                return Minimal.NONE;
            }
            if (now.isPresent()) {
                writer.give(
                        now.get().records(),
                        Planner.MINIMAL_REPAIR,
                        (id, change) -> id.equals(slice.id())
                                ? change
                                : "makes way for " + slice.intent().job().toldTo(id.namespace()) + ": " + change);
                return Minimal.RECORDED;
            }
        }
        return Minimal.NONE;
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
