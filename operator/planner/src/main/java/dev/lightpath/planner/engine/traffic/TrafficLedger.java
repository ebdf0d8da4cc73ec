package dev.lightpath.planner.engine.traffic;

import dev.lightpath.planner.ask.Asked;
import dev.lightpath.planner.engine.allocation.SliceDecision;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.OcsCircuits;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.pacing.RepairGate;
import dev.lightpath.planner.engine.ring.RingCapacity;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.OcsTopology;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Pods and circuits for jobs whose traffic decides: a place first, then the question to DELTA, then its answer on real
 * ports. What is placed keeps its pods; its circuits change when some fail, when others are owed ports, or when that is
 * worth it.
 */
public final class TrafficLedger {
    private final OcsState state;
    private final ChangeFreeze freeze;
    private final FabricPods pods;
    private final PortRearrangement rearrangement;
    private final NewTraffic fresh;
    private final ElasticTraffic placed;

    public TrafficLedger(
            OcsState state,
            OcsCircuits circuits,
            ChangeFreeze freeze,
            List<SliceState> slices,
            RingCapacity groups,
            RepairGate gate) {
        this.state = state;
        this.freeze = freeze;
        this.pods = FabricPods.of(state, circuits, freeze, slices, groups);
        this.rearrangement = pods.rearrangement();
        this.fresh = new NewTraffic(pods);
        this.placed = new ElasticTraffic(pods, gate);
        if (freeze == ChangeFreeze.NONE && state.findings().isEmpty()) {
            slices.forEach(fresh::expect);
        }
    }

    /** Whether a job gave up circuits for a moment, and takes others before any other job is served. */
    public boolean returns(SliceState slice) {
        return rearrangement.exchanging().contains(slice.id());
    }

    /** Whether any does. */
    public boolean exchanging() {
        return !rearrangement.exchanging().isEmpty();
    }

    /** What DELTA is asked, by digest. */
    public SortedMap<String, Asked> questions() {
        return pods.questions();
    }

    public SliceDecision serve(SliceState slice, Demand.Traffic traffic) {
        if (!(state.intent().topology() instanceof OcsTopology.Logical)) {
            return SliceDecision.stay(new Placement.Unplaced(
                    Reason.FABRIC_KIND_MISMATCH,
                    "fabric " + state.intent().name()
                            + " has a topology of its own; circuits that follow a job need one with topology.logical"));
        }
        if (rearrangement.records().containsKey(slice)) {
            return SliceDecision.stay(new Placement.Placed());
        }
        if (!slice.placed() && freeze != ChangeFreeze.NONE) {
            return SliceDecision.stay(Placement.Unplaced.frozen(freeze));
        }
        SliceDecision turn = slice.placed() ? placed.keep(slice, traffic) : fresh.place(slice, traffic);
        if (turn instanceof SliceDecision.Change) {
            rearrangement.settled(slice);
        }
        return turn;
    }

    /** Once all are served and nothing else is recorded: better circuits for who has a place. */
    public void improve() {
        rearrangement.improve();
    }

    /** Whether that search goes on in the next pass. */
    public boolean unfinished() {
        return rearrangement.unfinished();
    }

    /** The job without a place that gets the room, if it is for one. */
    public Optional<JobId> roomFor() {
        return rearrangement.roomFor();
    }

    /** Jobs that make room for another one, in the order in which their records are written. */
    public Map<SliceState, SliceDecision.Change> rearranged() {
        return rearrangement.records();
    }
}
