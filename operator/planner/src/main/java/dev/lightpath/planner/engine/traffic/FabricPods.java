package dev.lightpath.planner.engine.traffic;

import dev.lightpath.planner.ask.Asked;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.OcsCircuits;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.ring.RingCapacity;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.world.SliceId;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;

/**
 * The pods of one fabric while a pass decides, as the jobs that are served one after another share them: what one takes
 * is not there for the next.
 *
 * @param groups whether pods have room for groups that a job takes from a ring
 * @param others whether a job that has its pods could have others instead
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
        FabricPodSelection selection,
        OtherFabricPods others) {

    public static FabricPods of(OcsState state, OcsCircuits circuits, List<SliceState> slices, RingCapacity groups) {
        FabricPodPorts ports = new FabricPodPorts(state, circuits, slices);
        FabricPodNodes nodes = new FabricPodNodes(state, groups);
        PortBudgets budgets = new PortBudgets(state, ports);
        AssignedCircuits assigned = new AssignedCircuits(state, circuits, ports);
        FabricPodSelection selection = new FabricPodSelection(state, ports, nodes, budgets, assigned);
        return new FabricPods(
                state,
                circuits,
                groups,
                ports,
                nodes,
                budgets,
                assigned,
                new PortRearrangement(state, circuits, ports, assigned),
                selection,
                new OtherFabricPods(circuits, selection));
    }

    ChangeFreeze freeze() {
        return circuits.freeze();
    }

    /** What DELTA is asked, by digest. */
    SortedMap<String, Asked> questions() {
        return budgets.unanswered();
    }

    /** Jobs that gave up circuits for a moment. */
    Set<SliceId> exchanging() {
        return ports.aside();
    }
}
