package dev.lightpath.planner.engine.ring;

import dev.lightpath.planner.engine.allocation.LedgerDraft;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.RingCircuits;
import dev.lightpath.planner.engine.circuits.RingOnset;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.pacing.RepairGate;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.ring.RingPlacement;
import dev.lightpath.planner.ring.placement.PlacementOutcome;
import dev.lightpath.planner.ring.placement.RingOrchestration;
import dev.lightpath.planner.ring.repair.RepairOutcome;
import dev.lightpath.planner.ring.repair.RingRepair;
import dev.lightpath.planner.world.Allocation;
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
    private final Occupancy seats;
    private final RelocatableJobs movers;
    private final AllocationWriter writer;
    private final LedgerDraft draft;
    private final RepairGate gate;

    RepairPlanner(
            RingState state,
            ChangeFreeze freeze,
            Occupancy seats,
            RelocatableJobs movers,
            AllocationWriter writer,
            LedgerDraft draft) {
        this.state = state;
        this.freeze = freeze;
        this.ring = state.intent().ring();
        this.seats = seats;
        this.movers = movers;
        this.writer = writer;
        this.draft = draft;
        this.gate = new RepairGate(freeze, state.world().now());
    }

    /** What becomes of a slice that has a place. */
    Placement keep(SliceState claim, RingCircuits light) {
        if (draft.decided().contains(claim.id())) {
            return new Placement.Placed();
        }
        RingPlacement placement = claim.placement(ring);
        Allocation recorded = claim.recorded().orElseThrow();
        DisplacedMembers strays = DisplacedMembers.of(state, recorded);
        RingHealth health = strays.with(state.health(), Set.of());
        SortedSet<Integer> broken = broken(placement, health);
        if (broken.isEmpty()) {
            writer.tidy(claim, recorded, light);
            return new Placement.Placed();
        }
        List<String> members = faultyMembers(recorded, placement, broken, health);
        Optional<String> wait = wait(claim, placement, broken);
        Mend mend = mend(claim, placement, strays, broken);
        // a group that stays lost keeps naming who moved, and who moved may sit where another group would be mended
        if (mend.local() instanceof RepairOutcome.Repaired some && writer.namesTwice(claim, some, broken)) {
            mend = mend(claim, placement, strays.strict(), broken);
        }
        if (wait.isPresent()) {
            writer.tidy(claim, recorded, light);
            return new Placement.Faulted(members, wait.get() + prospect(claim, placement, mend, broken), false, false);
        }
        RingHealth others = strays.strict().with(state.health(), mend.heirs());
        return repair(claim, placement, others, members, broken, mend.local(), light);
    }

    /**
     * What a slice can do by itself.
     *
     * @param heirs positions of its own at which another node is by now that it may have
     */
    private record Mend(Set<Integer> heirs, RepairOutcome local) {}

    private Mend mend(SliceState claim, RingPlacement placement, DisplacedMembers strays, SortedSet<Integer> broken) {
        Set<Integer> heirs = strays.heirs(seats, claim.id());
        return new Mend(heirs, local(claim, placement, strays.with(state.health(), heirs), broken));
    }

    private SortedSet<Integer> broken(RingPlacement placement, RingHealth health) {
        SortedSet<Integer> broken = new TreeSet<>();
        for (int index = 0; index < placement.groups().size(); index++) {
            if (!health.supports(ring, placement.groups().get(index))) {
                broken.add(index);
            }
        }
        return broken;
    }

    private List<String> faultyMembers(
            Allocation recorded, RingPlacement placement, Set<Integer> broken, RingHealth health) {
        SortedSet<String> names = new TreeSet<>();
        for (int index : broken) {
            RingGroup group = placement.groups().get(index);
            for (int rank : health.culprits(ring, group)) {
                names.add(recorded.groups().get(index).members().get(rank).node());
            }
        }
        return List.copyOf(names);
    }

    /** What a repair waits for; empty when it may go ahead. */
    private Optional<String> wait(SliceState claim, RingPlacement placement, SortedSet<Integer> broken) {
        Optional<String> wait = gate.wait(
                claim.intent(), () -> RingOnset.of(state, claim.recorded().orElseThrow(), placement, broken));
        gate.opensAt().ifPresent(draft::wake);
        return wait;
    }

    private RepairOutcome local(
            SliceState claim, RingPlacement placement, RingHealth health, SortedSet<Integer> broken) {
        Optional<String> awaited = ScaleOutPlacement.awaited(state.world(), claim.intent());
        if (awaited.isPresent()) {
            return new RepairOutcome.NoRepair(
                    "its slice on fabric " + awaited.get() + ", which knows the pods of its stages, is not there");
        }
        Set<Integer> spares = seats.spares(placement, health, seats.closedTo(claim.id()));
        return sibling(claim)
                .map(sibling -> new PodRepair(state, sibling, health, spares)
                        .repair(placement.groups(), broken, claim.demand().tensor()))
                .orElseGet(() -> RingRepair.repair(ring, health, placement.groups(), broken, spares));
    }

    private Optional<ScaleOutPlacement> sibling(SliceState claim) {
        return ScaleOutPlacement.of(state.world(), claim.intent());
    }

    /** The spares that a repair will take once it may are kept for it. */
    private String prospect(SliceState claim, RingPlacement placement, Mend mend, SortedSet<Integer> broken) {
        boolean never = claim.intent().replacement() instanceof Replacement.Never;
        return switch (mend.local()) {
            case RepairOutcome.Repaired repaired
            when !never && mends(repaired, broken) -> {
                SortedSet<Integer> joining = new TreeSet<>(new RingPlacement(repaired.kept()).positions());
                joining.removeIf(seat ->
                        placement.positions().contains(seat) && !mend.heirs().contains(seat));
                seats.keep(claim.id(), joining);
                yield joining.isEmpty() ? "" : "; then " + writer.names(joining) + " will join";
            }
            case RepairOutcome.Repaired repaired -> "";
            case RepairOutcome.NoRepair none -> "";
        };
    }

    private Placement repair(
            SliceState claim,
            RingPlacement placement,
            RingHealth health,
            List<String> members,
            SortedSet<Integer> broken,
            RepairOutcome local,
            RingCircuits light) {
        draft.ran(Planner.LOCAL_REPAIR);
        Placement repaired = new Placement.Faulted(members, "a repair was found and is being recorded", false, false);
        if (local instanceof RepairOutcome.Repaired all && all.lost().isEmpty()) {
            writer.give(claim, all, broken, Planner.LOCAL_REPAIR);
            return repaired;
        }
        boolean alone = claim.intent().beside().isEmpty() && sibling(claim).isEmpty();
        Minimal minimal = freeze == ChangeFreeze.NONE && alone ? minimal(claim, placement, health) : Minimal.NONE;
        switch (minimal) {
            case RECORDED -> {
                return repaired;
            }
            case WAITS -> {
                writer.tidy(claim, claim.recorded().orElseThrow(), light);
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
        String why = switch (local) {
            case RepairOutcome.Repaired some
            when mends(some, broken) -> {
                writer.give(claim, some, broken, Planner.LOCAL_REPAIR);
                yield lost(some);
            }
            case RepairOutcome.Repaired some -> {
                writer.tidy(claim, claim.recorded().orElseThrow(), light);
                yield lost(some);
            }
            case RepairOutcome.NoRepair none -> {
                writer.tidy(claim, claim.recorded().orElseThrow(), light);
                yield none.reason();
            }
        };
        boolean relocatable = freeze == ChangeFreeze.NONE
                && claim.intent().relocatable()
                && alone
                && !seats.anyDarkening()
                && RingOrchestration.place(ring, health, claim.demand(), seats.closedToSuccessor(claim.id()))
                        instanceof PlacementOutcome.Placed;
        String where = alone ? "" : "; only nodes in the pod of its stage may join";
        return new Placement.Faulted(members, why + where + Shortage.ofSpares(state, seats), true, relocatable);
    }

    /** Whether it seats one of them again, be it a machine that came for another. */
    private static boolean mends(RepairOutcome.Repaired repaired, SortedSet<Integer> broken) {
        return !repaired.lost().containsAll(broken);
    }

    private static String lost(RepairOutcome.Repaired some) {
        return "no spare within reach for " + some.lost().size() + " of its groups";
    }

    private enum Minimal {
        RECORDED,
        WAITS,
        NONE
    }

    /** Lets other jobs make way, those without running pods first. */
    private Minimal minimal(SliceState claim, RingPlacement placement, RingHealth health) {
        if (claim.demand().groupsPerNode(ring) > 1 || claim.intent().reconfiguration() == Reconfiguration.NEVER) {
            return Minimal.NONE;
        }
        draft.ran(Planner.MINIMAL_REPAIR);
        List<List<SliceState>> tiers = new ArrayList<>();
        tiers.add(List.of());
        tiers.addAll(movers.tiers(claim, draft.decided()));
        for (List<SliceState> may : tiers) {
            MultiJobRepair mending = writer.mending(may, health, Map.of(claim.id(), placement));
            Optional<MultiJobRepair.Moves> now = mending.repair(false);
            if (seats.anyDarkening() && waits(claim, now, mending.repair(true))) {
                return Minimal.WAITS;
            }
            // under running pods of others no more than the administrator allows
            if (now.isPresent() && now.get().changedBeside(claim.id()) > movers.budget(may)) {
                continue;
            }
            if (now.isPresent() && claim.intent().relocatable() && isElsewhere(placement, now.get(), claim.id())) {
                return Minimal.NONE;
            }
            if (now.isPresent()) {
                writer.give(
                        now.get().records(),
                        Planner.MINIMAL_REPAIR,
                        (slice, change) -> slice.equals(claim.id())
                                ? change
                                : "makes way for job " + claim.intent().job() + ": " + change);
                return Minimal.RECORDED;
            }
        }
        return Minimal.NONE;
    }

    /** Whether fewer groups change if one waits for darkness; the seats are then kept. */
    private boolean waits(SliceState claim, Optional<MultiJobRepair.Moves> now, Optional<MultiJobRepair.Moves> later) {
        if (later.isEmpty()
                || now.isPresent() && now.get().changed() <= later.get().changed()) {
            return false;
        }
        seats.keep(claim.id(), later.get().joining());
        return true;
    }

    /** Where nothing of a job stays, it is no repair: the whole job is placed anew, as well as can be. */
    private static boolean isElsewhere(RingPlacement before, MultiJobRepair.Moves moves, SliceId slice) {
        RingPlacement after = moves.records().get(slice);
        return after != null && java.util.Collections.disjoint(before.positions(), after.positions());
    }
}
