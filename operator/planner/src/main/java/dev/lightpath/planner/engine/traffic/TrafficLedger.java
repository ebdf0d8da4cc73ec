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
import dev.lightpath.planner.world.OcsTopology;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Pods and circuits for jobs whose traffic decides: a place first, then the question to DELTA, then its answer on real
 * ports. What is placed keeps its pods; its circuits change when some fail, when others are owed ports, or when that is
 * worth it.
 */
public final class TrafficLedger {
    private final OcsState state;
    private final ChangeFreeze freeze;
    private final FabricPodPorts room;
    private final PortBudgets budgets;
    private final PortRearrangement asides;
    private final NewTraffic fresh;
    private final PlacedTraffic placed;

    public TrafficLedger(
            OcsState state,
            OcsCircuits circuits,
            ChangeFreeze freeze,
            List<SliceState> slices,
            RingCapacity groups,
            RepairGate gate) {
        this.state = state;
        this.freeze = freeze;
        this.room = new FabricPodPorts(state, circuits, slices);
        FabricPodNodes nodes = new FabricPodNodes(state);
        this.budgets = new PortBudgets(state, room);
        AssignedCircuits dealt = new AssignedCircuits(state, circuits, room);
        FabricPodSelection choice = new FabricPodSelection(state, room, nodes, budgets, groups, dealt);
        this.asides = new PortRearrangement(state, circuits, room, dealt);
        OtherPods others = new OtherPods(freeze, choice);
        this.fresh = new NewTraffic(
                state, room, nodes, choice, groups, new NewCircuits(room, nodes, budgets, groups, dealt, asides));
        this.placed = new PlacedTraffic(
                state,
                freeze,
                nodes,
                groups,
                gate,
                others,
                new PlacedCircuits(state, freeze, budgets, dealt, asides, others));
        if (freeze == ChangeFreeze.NONE && state.findings().isEmpty()) {
            slices.forEach(fresh::expect);
        }
    }

    /** Whether a job gave up circuits for a moment, and takes others before any other job is served. */
    public boolean returns(SliceState slice) {
        return room.aside().contains(slice.id());
    }

    /** Whether any does. */
    public boolean exchanging() {
        return !room.aside().isEmpty();
    }

    /** What DELTA is asked, by digest. */
    public SortedMap<String, Asked> questions() {
        return budgets.unanswered();
    }

    public SliceDecision serve(SliceState slice, Demand.Traffic traffic) {
        if (!(state.intent().topology() instanceof OcsTopology.Logical)) {
            return SliceDecision.stay(new Placement.Unplaced(
                    Reason.FABRIC_KIND_MISMATCH,
                    "fabric " + state.intent().name()
                            + " has a topology of its own; circuits that follow a job need one with topology.logical"));
        }
        if (asides.records().containsKey(slice)) {
            return SliceDecision.stay(new Placement.Placed());
        }
        if (!slice.placed() && freeze != ChangeFreeze.NONE) {
            return SliceDecision.stay(new Placement.Unplaced(freeze.reason(), freeze.message()));
        }
        SliceDecision turn = slice.placed() ? placed.keep(slice, traffic) : fresh.place(slice, traffic);
        if (turn instanceof SliceDecision.Change) {
            asides.settled(slice);
        }
        return turn;
    }

    /** Once all are served and nothing else is recorded: better circuits for who has a place. */
    public void improve() {
        asides.improve();
    }

    /** Whether that search goes on in the next pass. */
    public boolean unfinished() {
        return asides.unfinished();
    }

    /** Jobs that make room for another one, in the order in which their records are written. */
    public Map<SliceState, SliceDecision.Change> asides() {
        return asides.records();
    }
}
