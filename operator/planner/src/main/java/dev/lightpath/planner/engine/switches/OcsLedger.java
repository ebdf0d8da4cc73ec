package dev.lightpath.planner.engine.switches;

import dev.lightpath.planner.ask.Asked;
import dev.lightpath.planner.engine.allocation.SliceDecision;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.FabricLedger;
import dev.lightpath.planner.engine.circuits.OcsCircuits;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.pacing.RepairGate;
import dev.lightpath.planner.engine.ring.RingCapacity;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.engine.traffic.TrafficLedger;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.words.Words;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.OcsTopology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * Which slice has which circuits of one fabric of switches: places, repairs and releases slices, jobs in order of
 * precedence, the static topology last. What it decides are ledger entries.
 */
public final class OcsLedger extends FabricLedger {
    private final OcsState state;
    private final OcsCircuits light;
    private final ChangeFreeze freeze;
    private final TopologyLedger topologies;
    private final TrafficLedger traffics;

    private OcsLedger(
            OcsState state,
            OcsCircuits light,
            ChangeFreeze freeze,
            List<SliceState> slices,
            TrafficLedger traffics,
            RepairGate gate) {
        super(light, freeze);
        this.state = state;
        this.light = light;
        this.freeze = freeze;
        this.topologies = new TopologyLedger(state, light, freeze, slices, gate, draft());
        this.traffics = traffics;
    }

    /** @param groups whether pods have room for groups that a job takes from a ring */
    public static OcsLedger of(
            OcsState state, OcsCircuits light, ChangeFreeze freeze, List<SliceState> slices, RingCapacity groups) {
        RepairGate gate = new RepairGate(freeze, state.world().now());
        TrafficLedger traffics = new TrafficLedger(state, light, freeze, slices, groups, gate);
        OcsLedger ledger = new OcsLedger(state, light, freeze, slices, traffics, gate);
        List<SliceState> inTurn = new ArrayList<>(slices);
        // static light gives way to jobs: it is served when they have their cubes
        inTurn.sort(Comparator.comparing(TopologyLedger::isStatic).thenComparing(slice -> !traffics.returns(slice)));
        ledger.decide(inTurn);
        // what is released or tidied in this pass is recorded once
        if (ledger.entries().isEmpty()) {
            traffics.improve();
        }
        traffics.rearranged().forEach(ledger::record);
        traffics.roomFor()
                .ifPresent(job -> traffics.rearranged()
                        .keySet()
                        .forEach(slice -> ledger.draft().makesRoom(slice.id(), job)));
        gate.opensAt().ifPresent(ledger.draft()::wake);
        if (traffics.unfinished()) {
            ledger.draft().wake(state.world().now());
        }
        return ledger;
    }

    @Override
    public boolean exchanging() {
        return traffics.exchanging();
    }

    /** What DELTA is asked, by digest. */
    public SortedMap<String, Asked> questions() {
        return traffics.questions();
    }

    @Override
    protected Placement serve(SliceState slice) {
        if (!state.findings().isEmpty() && !slice.placed()) {
            return new Placement.Unplaced(Reason.INVALID_WIRING, String.join("; ", state.findings()));
        }
        boolean searched = switch (slice.intent().demand()) {
            case Demand.Topology topology -> true;
            case Demand.TorusShape torus -> true;
            case Demand.ScaleUp scaleUp -> false;
            case Demand.Traffic traffic -> false;
        };
        if (searched && freeze != ChangeFreeze.NONE && !slice.placed()) {
            return Placement.Unplaced.frozen(freeze);
        }
        SortedSet<String> resetting = freeze == ChangeFreeze.NONE ? light.resetting() : Collections.emptySortedSet();
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
            case Demand.Traffic traffic -> traffic(slice, traffic);
            case Demand.TorusShape torus ->
                state.intent().topology() instanceof OcsTopology.TwistedTorus
                        ? topologies.serve(slice, torus)
                        : new Placement.Unplaced(
                                Reason.FABRIC_KIND_MISMATCH,
                                "fabric " + state.intent().name()
                                        + " makes no tori: scaleOut.torus needs one with topology.twistedTorus");
        };
    }

    private Placement traffic(SliceState slice, Demand.Traffic traffic) {
        if (slice.lost()) {
            draft().gain(slice, slice.recorded().orElseThrow());
            return new Placement.Placed();
        }
        if (!state.findings().isEmpty()) {
            return new Placement.Placed();
        }
        SliceDecision decision = traffics.serve(slice, traffic);
        switch (decision) {
            case SliceDecision.Stay stay -> {}
            case SliceDecision.Change change -> record(slice, change);
        }
        return decision.placement();
    }

    private void record(SliceState slice, SliceDecision.Change change) {
        SwitchedLight before = slice.lit();
        Allocation next = slice.light(change.groups(), change.light(), Optional.of(change.origin()))
                .expecting(change.prediction());
        if (before.minus(change.light()).isEmpty()) {
            draft().gain(slice, next);
        } else {
            draft().lose(slice, next);
        }
    }
}
