package dev.lightpath.planner.delta;

import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.search.InfeasibleBudget;
import dev.lightpath.planner.delta.search.SearchLimits;

/** Chooses circuits between pods for one training iteration. */
public interface TopologyPlanner {
    /**
     * Pure: the same question with the same limits has the same answer. Ends soon after the stop signal with its best
     * so far. The makespan is minimised (Eq. 3) within the ports (Eq. 5), then ports when the goal says so (Eq. 4);
     * figures are seconds and circuit ends.
     *
     * @param goal algorithm, and whether ports are saved
     * @param limits budget in nodes: bounds and simulations
     * @throws SearchFailed when a search elsewhere ended without an answer; in this process it must not be tried, for
     *     what ended it there could end us
     * @throws InfeasibleBudget when one circuit per active pair does not fit the ports
     */
    DeltaSolution solve(DeltaInstance instance, Goal goal, SearchLimits limits);
}
