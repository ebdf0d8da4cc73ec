package dev.lightpath.planner.engine.traffic;

import dev.lightpath.planner.engine.allocation.SliceDecision;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.allocation.StagePods;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.engine.ring.ScaleOutPlacement;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.words.Words;
import dev.lightpath.planner.world.Demand;
import java.util.Optional;

/** A place for a job whose circuits follow its traffic: its pods, the question to DELTA, the answer on real ports. */
final class NewTraffic {
    private final FabricPods pods;
    private final FabricPodWidth width;
    private final NewCircuits circuits;

    NewTraffic(FabricPods pods) {
        this.pods = pods;
        this.width = new FabricPodWidth(pods);
        this.circuits = new NewCircuits(pods);
    }

    /**
     * A slice that waits gets its ports before any is served: slices that were lent its share give it back, and none
     * grows into it.
     */
    void expect(SliceState slice) {
        if (slice.intent().wanted()
                && !slice.placed()
                && !slice.lost()
                && ScaleOutPlacement.awaited(pods.state().world(), slice.intent())
                        .isEmpty()
                && slice.intent().demand() instanceof Demand.Traffic traffic) {
            switch (width.widest(slice, traffic)) {
                case FabricPodSelection.Found.Pods found -> pods.ports().expect(slice, found.stagePods(), false);
                case FabricPodSelection.Found.Later later -> pods.ports().expect(slice, later.stagePods(), true);
                case FabricPodSelection.Found.None none -> {
                    if (none.everFits()) {
                        pods.ports().waits(slice);
                    }
                }
            }
        }
    }

    /** Pods first, then circuits: by DELTA's answer once it is there. */
    SliceDecision place(SliceState slice, Demand.Traffic traffic) {
        Optional<String> awaited = ScaleOutPlacement.awaited(pods.state().world(), slice.intent());
        if (awaited.isPresent()) {
            return SliceDecision.stay(Placement.Unplaced.awaitingSlice(awaited.get()));
        }
        return switch (width.widest(slice, traffic)) {
            case FabricPodSelection.Found.None none ->
                SliceDecision.stay(new Placement.Unplaced(Reason.INSUFFICIENT_CAPACITY, none.why(), none.lacksPorts()));
            case FabricPodSelection.Found.Later later ->
                SliceDecision.stay(
                        Placement.Unplaced.noPorts("waits for other jobs to give back ports beyond their share of pods "
                                + Words.sorted(later.stagePods().gpusByPod().keySet())));
            case FabricPodSelection.Found.Pods found -> light(slice, found.stagePods());
        };
    }

    private SliceDecision light(SliceState slice, StagePods stagePods) {
        return pods.nodes()
                .seat(stagePods, slice)
                .map(members -> circuits.light(slice, stagePods, members, false))
                .orElseGet(
                        () -> SliceDecision.stay(Placement.Unplaced.noRoom("the free nodes of its pods are too few")));
    }
}
