package dev.lightpath.planner.engine.ring;

import dev.lightpath.planner.engine.allocation.RecordedSeats;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.FabricLedger;
import dev.lightpath.planner.engine.circuits.RingCircuits;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.engine.decision.SliceVerdict.Siting;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.memory.FixedMap;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingPlacement;
import dev.lightpath.planner.ring.rack.CrossTor;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.Origin.Planner;
import dev.lightpath.planner.world.SliceId;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * Which positions of one ring each slice has: places, repairs and releases slices, in order of precedence. Changes
 * nothing but its own picture of the positions; what it decides are ledger entries. A slice that is well moves only
 * where that places another.
 */
public final class RingLedger extends FabricLedger {
    private final RingState state;
    private final RingFabric ring;
    private final RecordedSeats seats;
    private final Occupancy occupancy;
    private final PlaceSearch places;
    private final ElasticJobs placed;
    /** Indices of slices that were looked at. */
    private BitSet concerned = new BitSet();
    /** Positions that are free once all is decided. */
    private Optional<BitSet> free = Optional.empty();

    private RingLedger(RingState state, RingCircuits circuits, RecordedSeats seats) {
        super(circuits);
        this.state = state;
        this.ring = state.intent().ring();
        this.seats = seats;
        this.occupancy = Occupancy.of(state, circuits, seats);
        RingSeats shared = new RingSeats(state, circuits, seats.slices(), occupancy, draft(), gate());
        this.places = new PlaceSearch(shared);
        this.placed = new ElasticJobs(shared);
    }

    /**
     * Looks at slices of which more is to be said than that they have their place, and at those that have a member of
     * which something is wrong: any other keeps its place. A pass that remembers nothing looks at all of them: so it
     * tells whether those that others leave out keep theirs.
     *
     * @param slices in order of precedence
     */
    public static RingLedger of(RingState state, RingCircuits circuits, List<SliceState> slices) {
        RecordedSeats seats = RecordedSeats.ofDecided(state.intent().ring(), slices, state.memory());
        RingLedger ledger = new RingLedger(state, circuits, seats);
        if (state.memory().begins()) {
            ledger.concerned.set(0, slices.size());
        } else {
            ledger.concerned = seats.concerned(state.health(), state.displaced());
        }
        ledger.decide(
                FixedMap.derived(seats.indices(), slices::get),
                ledger.concerned.stream().mapToObj(slices::get).toList());
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

    /** Where the slices have their places. */
    public RecordedSeats seats() {
        return seats;
    }

    /** Indices of slices that were looked at: all others keep their place. Not to be changed. */
    public BitSet concerned() {
        return concerned;
    }

    /** Positions that are free once all is decided; not to be changed. */
    public BitSet free() {
        return free.orElseThrow();
    }

    /** Positions that a slice may not use beside those it has. */
    public Set<Integer> closedTo(SliceId slice) {
        return occupancy.closedTo(slice);
    }

    @Override
    protected void givesUp(SliceState slice) {
        occupancy.move(slice.id(), slice.placement(ring).positions(), new TreeSet<>());
    }

    @Override
    protected void released(SliceState slice) {
        if (slice.intent().renewed()
                && freeze() == ChangeFreeze.NONE
                && !hasSuccessor(slice)
                && slice.demand().fits(ring)) {
            places.holdForSuccessor(slice);
        }
    }

    private boolean hasSuccessor(SliceState slice) {
        return seats.slices().stream()
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
        if (slice.placed()) {
            return placed.keep(slice);
        }
        return freeze() == ChangeFreeze.NONE ? places.place(slice) : Placement.Unplaced.frozen(freeze());
    }
}
