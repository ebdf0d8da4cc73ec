package dev.lightpath.planner.engine.switches;

import dev.lightpath.planner.ask.Asked;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.FabricLedger;
import dev.lightpath.planner.engine.circuits.OcsCircuits;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.ring.RingCapacity;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.engine.traffic.FabricPods;
import dev.lightpath.planner.engine.traffic.TrafficLedger;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.words.Words;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.OcsTopology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * Which slice has which circuits of one fabric of switches: places, repairs and releases slices, jobs in order of
 * precedence, the static topology last. What it decides are ledger entries.
 */
public final class OcsLedger extends FabricLedger {
    private final OcsState state;
    private final OcsCircuits circuits;
    private final TopologyLedger topologies;
    private final FabricPods pods;
    private final TrafficLedger traffics;

    private OcsLedger(OcsState state, OcsCircuits circuits, List<SliceState> slices, RingCapacity groups) {
        super(circuits);
        this.state = state;
        this.circuits = circuits;
        this.topologies = new TopologyLedger(state, circuits, slices, gate(), draft());
        this.pods = FabricPods.of(state, circuits, slices, groups);
        this.traffics = new TrafficLedger(pods, slices, gate(), draft());
    }

    /** @param groups whether pods have room for groups that a job takes from a ring */
    public static OcsLedger of(OcsState state, OcsCircuits circuits, List<SliceState> slices, RingCapacity groups) {
        OcsLedger ledger = new OcsLedger(state, circuits, slices, groups);
        List<SliceState> inTurn = new ArrayList<>(slices);
        // static light gives way to jobs: it is served when they have their cubes
        inTurn.sort(Comparator.comparing(SliceState::isStatic)
                .thenComparing(slice -> !ledger.pods.exchanging().contains(slice.id())));
        ledger.decide(inTurn);
        // what is released or tidied in this pass is recorded once
        ledger.traffics.rearrange(ledger.entries().isEmpty());
        return ledger;
    }

    @Override
    public boolean exchanging() {
        return !pods.exchanging().isEmpty();
    }

    /** What DELTA is asked, by digest. */
    public SortedMap<String, Asked> questions() {
        return pods.questions();
    }

    @Override
    protected Placement serve(SliceState slice) {
        if (!state.findings().isEmpty() && !slice.placed()) {
            return new Placement.Unplaced(Reason.INVALID_WIRING, String.join("; ", state.findings()));
        }
        // while the wiring contradicts itself, what is placed stays as it is recorded
        if (!state.findings().isEmpty()) {
            return new Placement.Placed();
        }
        boolean searched = switch (slice.intent().demand()) {
            case Demand.Topology topology -> true;
            case Demand.TorusShape torus -> true;
            case Demand.ScaleUp scaleUp -> false;
            case Demand.Traffic traffic -> false;
        };
        if (searched && freeze() != ChangeFreeze.NONE && !slice.placed()) {
            return Placement.Unplaced.frozen(freeze());
        }
        SortedSet<String> resetting =
                freeze() == ChangeFreeze.NONE ? circuits.resetting() : Collections.emptySortedSet();
        if (!resetting.isEmpty()) {
            // a slice that has a place without circuits waits for more
            return slice.placed()
                    ? new Placement.Placed()
                    : new Placement.Unplaced(
                            ChangeFreeze.AWAITING_ADOPTION.reason(),
                            "light that was there before goes first (spec.adopt: Reset), on "
                                    + Words.sorted(resetting));
        }
        return switch (slice.intent().demand()) {
            case Demand.ScaleUp scaleUp ->
                new Placement.Unplaced(
                        Reason.FABRIC_KIND_MISMATCH,
                        "fabric " + state.intent().name() + " has optical switches; groups need one of transceivers");
            case Demand.Topology topology -> topologies.serve(slice);
            case Demand.Traffic traffic -> traffics.serve(slice, traffic);
            case Demand.TorusShape torus ->
                state.intent().topology() instanceof OcsTopology.TwistedTorus
                        ? topologies.serve(slice, torus)
                        : new Placement.Unplaced(
                                Reason.FABRIC_KIND_MISMATCH,
                                "fabric " + state.intent().name()
                                        + " makes no tori: scaleOut.torus needs one with topology.twistedTorus");
        };
    }
}
