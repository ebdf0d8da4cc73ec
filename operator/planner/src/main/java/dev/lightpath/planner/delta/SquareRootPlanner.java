package dev.lightpath.planner.delta;

import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.search.Baselines;
import dev.lightpath.planner.delta.search.Boxes;
import dev.lightpath.planner.delta.search.JointSearch;
import dev.lightpath.planner.delta.search.LowerBound;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.planner.delta.simulation.FlowNetwork;
import dev.lightpath.planner.delta.simulation.NormalizedTime;
import dev.lightpath.planner.delta.simulation.Simulator;
import java.util.function.ToDoubleBiFunction;

/**
 * A topology without a search: circuits by the square root of the traffic (section V-A2), under the rates of the goal.
 * It is the fallback when {@link DeltaPlanner} has no answer.
 */
public final class SquareRootPlanner implements TopologyPlanner {
    /**
     * {@inheritDoc}
     *
     * <p>The bound is the ideal network's (section V-A3), ports are not saved. O(ports * groups) and one simulation;
     * the limits are not asked.
     */
    @Override
    public DeltaSolution solve(DeltaInstance instance, Goal goal, SearchLimits limits) {
        return solve(
                instance,
                goal,
                (network, circuits) -> new Simulator(network)
                        .makespan(circuits, goal.algorithm().rates()));
    }

    /**
     * The same circuits without a simulation. The seconds are a bound: the circuits take at least so long.
     *
     * @throws InfeasibleBudget as {@link #solve}
     */
    public DeltaSolution unsimulated(DeltaInstance instance, Goal goal) {
        return solve(instance, goal, (network, circuits) -> new LowerBound(network).seconds(circuits));
    }

    private static DeltaSolution solve(
            DeltaInstance instance, Goal goal, ToDoubleBiFunction<FlowNetwork, int[]> makespan) {
        FlowNetwork network = new FlowNetwork(instance);
        if (!network.fits(Boxes.least(network))) {
            throw JointSearch.infeasible(network);
        }
        int[] circuits = new Baselines(instance, network).squareRoot();
        double seconds = makespan.applyAsDouble(network, circuits);
        NormalizedTime normalized = NormalizedTime.of(network);
        return new DeltaSolution(
                goal,
                Topology.of(circuits),
                seconds,
                Math.min(normalized.idealSeconds(), seconds),
                false,
                normalized.nct(seconds),
                network.ports(circuits),
                network.ports(circuits),
                instance.portBudget());
    }
}
