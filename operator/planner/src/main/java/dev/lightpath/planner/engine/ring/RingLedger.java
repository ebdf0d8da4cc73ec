package dev.lightpath.planner.engine.ring;

import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.FabricLedger;
import dev.lightpath.planner.engine.circuits.RingCircuits;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.engine.decision.SliceVerdict.Siting;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingPlacement;
import dev.lightpath.planner.ring.rack.CrossTor;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.Origin.Planner;
import dev.lightpath.planner.world.SliceId;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * Which positions of one ring each slice has: places, repairs and releases slices, in order of precedence. Changes
 * nothing but its own picture of the positions; what it decides are ledger entries. A slice that is well moves only
 * where that places another.
 */
public final class RingLedger extends FabricLedger {
    private final RingState state;
    private final ChangeFreeze freeze;
    private final RingFabric ring;
    private final List<SliceState> slices;
    private final Occupancy occupancy;
    private final PlaceSearch places;
    private final ElasticJobs placed;
    /** Positions that are free once all is decided. */
    private Optional<BitSet> free = Optional.empty();

    private RingLedger(RingState state, RingCircuits circuits, ChangeFreeze freeze, List<SliceState> slices) {
        super(circuits, freeze);
        this.state = state;
        this.freeze = freeze;
        this.ring = state.intent().ring();
        this.slices = slices;
        this.occupancy = Occupancy.of(state, circuits, slices);
        AllocationWriter writer = new AllocationWriter(state, circuits, slices, occupancy, draft());
        this.places = new PlaceSearch(state, circuits, slices, occupancy, writer, draft());
        this.placed = new ElasticJobs(state, freeze, occupancy, writer, draft());
    }

    /** @param slices in order of precedence */
    public static RingLedger of(RingState state, RingCircuits circuits, ChangeFreeze freeze, List<SliceState> slices) {
        RingLedger ledger = new RingLedger(state, circuits, freeze, slices);
        ledger.decide(slices);
        ledger.free = Optional.of(ledger.occupancy.free());
        return ledger;
    }

    @Override
    public SortedMap<SliceId, JobId> preemptors() {
        return places.preemptors();
    }

    /** The most laborious planner that ran. */
    public Optional<Planner> planner() {
        return draft().planner();
    }

    /** O(members * reach). */
    @Override
    public Optional<Siting> siting(SliceState placed) {
        RingPlacement placement = placed.placement(ring);
        return Optional.of(new Siting(
                CrossTor.ratio(ring, placement.groups()), occupancy.sparesNear(placement, free.orElseThrow())));
    }

    /** What is left of the ring for a slice. */
    public RingCapacity.Left left() {
        return new RingCapacity.Left(ring, state.health(), state.positions(), slice -> occupancy.closedTo(slice.id()));
    }

    @Override
    protected void givesUp(SliceState slice) {
        occupancy.move(slice.id(), slice.placement(ring).positions(), new TreeSet<>());
    }

    @Override
    protected void released(SliceState slice) {
        if (slice.intent().renewed()
                && freeze == ChangeFreeze.NONE
                && !hasSuccessor(slice)
                && slice.demand().fits(ring)) {
            places.holdForSuccessor(slice);
        }
    }

    private boolean hasSuccessor(SliceState slice) {
        return slices.stream()
                .anyMatch(other -> other.intent().job().equals(slice.intent().job())
                        && other.intent().attempt() > slice.intent().attempt());
    }

    @Override
    protected Placement serve(SliceState slice) {
        if (!slice.demand().fits(ring)) {
            return new Placement.Unplaced(
                    Reason.INVALID_PARALLELISM,
                    "tensor " + slice.demand().tensor() + " is neither a multiple nor a divisor of the "
                            + ring.gpusPerNode() + " GPUs of a node of fabric "
                            + state.intent().name());
        }
        if (slice.lost()) {
            draft().ran(Planner.INHERITANCE);
            draft().gain(slice, slice.recorded().orElseThrow());
            return new Placement.Placed();
        }
        if (slice.placed()) {
            return placed.keep(slice);
        }
        return freeze == ChangeFreeze.NONE ? places.place(slice) : Placement.Unplaced.frozen(freeze);
    }
}
