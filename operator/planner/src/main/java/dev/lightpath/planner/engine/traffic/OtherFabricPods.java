package dev.lightpath.planner.engine.traffic;

import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.allocation.StagePods;
import dev.lightpath.planner.engine.circuits.OcsCircuits;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.world.Demand;
import java.util.Optional;

/** Whether a job that has its pods could have others instead. */
final class OtherFabricPods {
    private final OcsCircuits circuits;
    private final FabricPodSelection choice;

    OtherFabricPods(OcsCircuits circuits, FabricPodSelection choice) {
        this.circuits = circuits;
        this.choice = choice;
    }

    /** Whether any job may: under a freeze, and on a fabric that is being deleted, none gets another place. */
    boolean allowed() {
        return circuits.freeze() == ChangeFreeze.NONE;
    }

    /** Whether the whole job may have another place here. */
    boolean relocatable(SliceState slice) {
        return allowed() && slice.intent().relocatable();
    }

    /** Whether other pods have room: not the job's own, which it would be given again when it is placed anew. */
    private Optional<FabricPodSelection.Found.Pods> find(
            SliceState slice, Demand.Traffic traffic, StagePods stagePods) {
        return choice.choose(slice, traffic) instanceof FabricPodSelection.Found.Pods pods
                        && !pods.stagePods()
                                .gpusByPod()
                                .keySet()
                                .equals(stagePods.gpusByPod().keySet())
                ? Optional.of(pods)
                : Optional.empty();
    }

    /**
     * Whether other pods have room. Those of an elastic job have to be joined by free ports: without circuits it would
     * not be placed there with all its replicas.
     */
    boolean exist(SliceState slice, Demand.Traffic traffic, StagePods stagePods) {
        return traffic.replicas().elastic()
                ? joined(slice, traffic, stagePods)
                : find(slice, traffic, stagePods).isPresent();
    }

    /** Whether other pods have room and free ports join them. */
    boolean joined(SliceState slice, Demand.Traffic traffic, StagePods stagePods) {
        return find(slice, traffic, stagePods)
                .filter(FabricPodSelection.Found.Pods::joined)
                .isPresent();
    }

    /** Why no other place is looked for, where that is the iteration. */
    String noOther(SliceState slice, Demand.Traffic traffic, StagePods stagePods) {
        return relocatable(slice) && stagePods.deal().talks()
                ? traffic.iteration()
                        .tooLong(traffic.parallelism())
                        .map(why -> "; it is given no other place: " + why)
                        .orElse("")
                : "";
    }
}
