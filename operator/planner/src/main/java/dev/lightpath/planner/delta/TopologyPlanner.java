package dev.lightpath.planner.delta;

/** Chooses circuits between pods for one training iteration. */
public interface TopologyPlanner {
    /**
     * Pure: the same question with the same limits has the same answer. Ends soon after the stop signal with its best so far.
     *
     * @throws InfeasibleBudget when one circuit per active pair does not fit the ports
     */
    DeltaSolution solve(DeltaInstance instance, Goal goal, SearchLimits limits);
}
