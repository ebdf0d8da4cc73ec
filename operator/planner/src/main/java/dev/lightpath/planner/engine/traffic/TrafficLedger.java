package dev.lightpath.planner.engine.traffic;

import dev.lightpath.planner.engine.allocation.LedgerDraft;
import dev.lightpath.planner.engine.allocation.SliceDecision;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.pacing.RepairGate;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsTopology;
import java.util.List;

/**
 * Pods and circuits for jobs whose traffic decides: a place first, then the question to DELTA, then its answer on real
 * ports. What is placed keeps its pods; its circuits change when some fail, when others are owed ports, or when that is
 * worth it.
 */
public final class TrafficLedger {
    private final FabricPods pods;
    private final NewTraffic fresh;
    private final ElasticTraffic placed;
    private final LedgerDraft draft;

    public TrafficLedger(FabricPods pods, List<SliceState> slices, RepairGate gate, LedgerDraft draft) {
        this.pods = pods;
        this.fresh = new NewTraffic(pods);
        this.placed = new ElasticTraffic(pods, gate);
        this.draft = draft;
        if (pods.freeze() == ChangeFreeze.NONE && pods.state().findings().isEmpty()) {
            slices.forEach(fresh::expect);
        }
    }

    public Placement serve(SliceState slice, Demand.Traffic traffic) {
        SliceDecision decision = decision(slice, traffic);
        if (decision instanceof SliceDecision.Change change) {
            draft.change(slice, change);
        }
        return decision.placement();
    }

    private SliceDecision decision(SliceState slice, Demand.Traffic traffic) {
        OcsIntent fabric = pods.state().intent();
        if (!(fabric.topology() instanceof OcsTopology.Logical)) {
            return SliceDecision.stay(new Placement.Unplaced(
                    Reason.FABRIC_KIND_MISMATCH,
                    "fabric " + fabric.name()
                            + " has a topology of its own; circuits that follow a job need one with topology.logical"));
        }
        if (pods.rearrangement().records().containsKey(slice)) {
            return SliceDecision.stay(new Placement.Placed());
        }
        if (!slice.placed() && pods.freeze() != ChangeFreeze.NONE) {
            return SliceDecision.stay(Placement.Unplaced.frozen(pods.freeze()));
        }
        SliceDecision decision = slice.placed() ? placed.keep(slice, traffic) : fresh.place(slice, traffic);
        if (decision instanceof SliceDecision.Change) {
            pods.rearrangement().settled(slice);
        }
        return decision;
    }

    /**
     * Once all are served: records who makes room for another job. If nothing else is recorded, looks for better
     * circuits for jobs that have a place.
     */
    public void rearrange(boolean nothingRecorded) {
        PortRearrangement rearrangement = pods.rearrangement();
        if (nothingRecorded) {
            rearrangement.improve();
        }
        rearrangement.records().forEach((slice, change) -> {
            draft.change(slice, change);
            rearrangement.roomFor().ifPresent(job -> draft.makesRoom(slice.id(), job));
        });
        if (rearrangement.unfinished()) {
            draft.wake(pods.state().world().now());
        }
    }
}
