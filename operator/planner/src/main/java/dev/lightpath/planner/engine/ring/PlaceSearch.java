package dev.lightpath.planner.engine.ring;

import dev.lightpath.planner.engine.allocation.LedgerDraft;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.RingCircuits;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.words.Counted;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.Origin.Planner;
import dev.lightpath.planner.world.SliceId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Looks for a place for a slice that has none: free nodes first, then nodes that others will leave, then nodes of jobs
 * that may move or give way.
 */
final class PlaceSearch {
    private final RingState state;
    private final RingFabric ring;
    private final RingCircuits circuits;
    private final Occupancy seats;
    private final AllocationWriter writer;
    private final LedgerDraft draft;
    private final Preemption preemption;

    PlaceSearch(
            RingState state,
            RingCircuits circuits,
            List<SliceState> slices,
            Occupancy seats,
            AllocationWriter writer,
            LedgerDraft draft) {
        this.state = state;
        this.ring = state.intent().ring();
        this.circuits = circuits;
        this.seats = seats;
        this.writer = writer;
        this.draft = draft;
        this.preemption = new Preemption(state, circuits, slices, seats);
    }

    /** Which job of higher priority is to have the place of each of these slices. */
    SortedMap<SliceId, JobId> preemptors() {
        return preemption.preemptors();
    }

    /** Keeps room for a later attempt of the job of a slice that gives up its own. */
    void holdForSuccessor(SliceState slice) {
        hold(slice, InitialPlacement.of(ring, state.health(), slice.demand(), seats.closedToSuccessor(slice.id())));
    }

    /** Keeps room for a claim that has to wait for it. */
    private void hold(SliceState claim, InitialPlacement room) {
        switch (room) {
            case InitialPlacement.Found found ->
                seats.keep(claim.id(), found.placement().positions());
            case InitialPlacement.None none -> {
                // nothing to keep: it waits like others
            }
        }
    }

    /** A place for a slice that has none, or why it gets none now. */
    Placement place(SliceState claim) {
        Optional<String> awaited = ScaleOutPlacement.awaited(state.world(), claim.intent());
        if (awaited.isPresent()) {
            return new Placement.Unplaced(Reason.AWAITING_PODS, "waits for its slice on fabric " + awaited.get());
        }
        Optional<ScaleOutPlacement> sibling = ScaleOutPlacement.of(state.world(), claim.intent());
        if (sibling.isPresent()) {
            return placeInPods(claim, sibling.get());
        }
        Optional<String> never = Shortage.forGood(state, claim);
        if (never.isPresent()) {
            return new Placement.Unplaced(Reason.INSUFFICIENT_CAPACITY, never.get());
        }
        return switch (InitialPlacement.of(ring, state.health(), claim.demand(), seats.closedTo(claim.id()))) {
            case InitialPlacement.Found found -> {
                writer.give(claim, found.placement(), found.planner(), found.why());
                yield Placement.Unplaced.recording();
            }
            case InitialPlacement.None none -> {
                String shortage = Shortage.of(state, seats, claim, none.usableGroups());
                String outlook = outlook(claim);
                if (outlook.isEmpty() && !anyFreshFault()) {
                    outlook = preemption.makeRoom(claim);
                }
                yield new Placement.Unplaced(
                        Reason.INSUFFICIENT_CAPACITY,
                        shortage
                                + (outlook.isEmpty()
                                        ? Shortage.underForeignLight(state, circuits, seats, claim)
                                        : outlook));
            }
        };
    }

    /** On two fabrics the pods come first: they decide which nodes may hold which stage. */
    private Placement placeInPods(SliceState claim, ScaleOutPlacement sibling) {
        Optional<InitialPlacement> placing =
                sibling.place(ring, state.health(), claim.demand(), seats.closedTo(claim.id()), state.positions());
        return switch (placing.orElse(null)) {
            case null ->
                new Placement.Unplaced(
                        Reason.AWAITING_PODS,
                        "waits for the pods of fabric " + sibling.spine().name());
            case InitialPlacement.Found found -> {
                writer.give(claim, found.placement(), found.planner(), found.why());
                yield Placement.Unplaced.recording();
            }
            case InitialPlacement.None none ->
                new Placement.Unplaced(
                        Reason.INSUFFICIENT_CAPACITY,
                        "its pods of fabric " + sibling.spine().name() + " have room for " + none.usableGroups()
                                + " of " + Counted.of(claim.demand().groups(), "group") + " of "
                                + claim.demand().tensor() + " GPUs");
        };
    }

    /** No repair waits for a search that takes its time: room is made once what broke has had its answer. */
    private boolean anyFreshFault() {
        Optional<Instant> settled = state.repairsFirstUntil();
        settled.ifPresent(draft::wake);
        return settled.isPresent();
    }

    /** What will make room; nothing is moved while what others left may be enough. */
    private String outlook(SliceState claim) {
        if (seats.anyDarkening() || seats.anyLeftWithPods()) {
            InitialPlacement later =
                    InitialPlacement.of(ring, state.health(), claim.demand(), seats.closedOnceLeft(claim.id()));
            hold(claim, later);
            if (later instanceof InitialPlacement.Found) {
                return seats.anyDarkening()
                        ? "; there is room once the light of nodes that others left is read back dark"
                        : "; there is room once the pods of jobs that left nodes are gone";
            }
            if (seats.anyDarkening()) {
                return "";
            }
        }
        if (claim.demand().groupsPerNode(ring) > 1 || anyFreshFault()) {
            return "";
        }
        for (List<SliceState> may : writer.relocatable(claim)) {
            Optional<MultiJobRepair.Moves> moves =
                    writer.changing(may, state.health(), Map.of()).makeRoom(claim.demand(), writer.budget(may));
            if (moves.isPresent()) {
                writer.give(
                        moves.get().records(),
                        Planner.COMPACTION,
                        (slice, change) -> "makes room for "
                                + Counted.of(claim.demand().groups(), "group") + " of "
                                + claim.demand().tensor() + " GPUs of job "
                                + claim.intent().job());
                hold(
                        claim,
                        InitialPlacement.of(ring, state.health(), claim.demand(), seats.closedOnceLeft(claim.id())));
                return "; room is being made by moving jobs that allow it";
            }
        }
        return "";
    }
}
