package dev.lightpath.planner.engine.traffic;

import dev.lightpath.planner.ask.Asked;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.allocation.StagePods;
import dev.lightpath.planner.engine.circuits.OcsCircuits;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.ring.RingCapacity;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.SliceId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * The pods of one fabric while a pass decides, as the jobs that are served one after another share them: what one takes
 * is not there for the next.
 *
 * @param groups whether pods have room for groups that a job takes from a ring
 */
public record FabricPods(
        OcsState state,
        OcsCircuits circuits,
        RingCapacity groups,
        FabricPodPorts ports,
        FabricPodNodes nodes,
        PortBudgets budgets,
        AssignedCircuits assigned,
        PortRearrangement rearrangement,
        FabricPodSelection selection) {

    public static FabricPods of(OcsState state, OcsCircuits circuits, List<SliceState> slices, RingCapacity groups) {
        FabricPodPorts ports = new FabricPodPorts(state, circuits, slices);
        FabricPodNodes nodes = new FabricPodNodes(state, groups);
        PortBudgets budgets = new PortBudgets(state, ports);
        AssignedCircuits assigned = new AssignedCircuits(state, circuits, ports);
        return new FabricPods(
                state,
                circuits,
                groups,
                ports,
                nodes,
                budgets,
                assigned,
                new PortRearrangement(state, circuits, ports, assigned),
                new FabricPodSelection(state, ports, nodes, budgets, assigned));
    }

    ChangeFreeze freeze() {
        return circuits.freeze();
    }

    /** What DELTA is asked, by digest. */
    public SortedMap<String, Asked> questions() {
        return budgets.unanswered();
    }

    /** Jobs that gave up circuits for a moment, and take others before any other job is served. */
    public Set<SliceId> exchanging() {
        return ports.aside();
    }

    /**
     * Whether any job may have other pods than its own: under a freeze, and on a fabric that is being deleted, none gets
     * another place.
     */
    boolean mayHaveOthers() {
        return freeze() == ChangeFreeze.NONE;
    }

    /** Whether the whole job may have another place here. */
    boolean relocatable(SliceState slice) {
        return mayHaveOthers() && slice.intent().relocatable();
    }

    /** Whether other pods have room: not the job's own, which it would be given again when it is placed anew. */
    private Optional<FabricPodSelection.Found.Pods> others(
            SliceState slice, Demand.Traffic traffic, StagePods stagePods) {
        return selection.choose(slice, traffic) instanceof FabricPodSelection.Found.Pods pods
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
    boolean othersExist(SliceState slice, Demand.Traffic traffic, StagePods stagePods) {
        return traffic.replicas().elastic()
                ? othersJoin(slice, traffic, stagePods)
                : others(slice, traffic, stagePods).isPresent();
    }

    /** Whether other pods have room and free ports join them. */
    boolean othersJoin(SliceState slice, Demand.Traffic traffic, StagePods stagePods) {
        return others(slice, traffic, stagePods)
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
