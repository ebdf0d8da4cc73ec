package dev.lightpath.solver;

import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.DeltaSolution;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.SolutionVerifier;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.planner.delta.simulation.NormalizedTime;
import dev.lightpath.planner.delta.simulation.Simulator;
import java.util.List;

/**
 * Measures topologies that a MILP chose. The makespan is simulated and the bounds are those of the exact search,
 * because a MILP's own figures hold only within its windows and tolerance.
 *
 * @param lowerBoundSeconds no topology ends an iteration earlier
 * @param limitSeconds longest makespan for which the bound of ports holds
 * @param portBound no topology within the limit has fewer ports; 0 when ports are not minimised
 */
record Yardstick(DeltaInstance instance, Goal goal, double lowerBoundSeconds, double limitSeconds, int portBound) {

    /** Searches for the bounds; {@code limits} is spent at most twice. */
    static Yardstick of(DeltaInstance instance, Goal goal, SearchLimits limits) {
        DeltaPlanner exact = new DeltaPlanner();
        double bound =
                exact.solve(instance, Goal.shortest(Algorithm.JOINT), limits).lowerBoundSeconds();
        if (!goal.minimizePorts()) {
            return new Yardstick(instance, goal, bound, Double.POSITIVE_INFINITY, 0);
        }
        DeltaSolution fewest = exact.solve(instance, goal, limits);
        double shortest = fewest.lowerBoundSeconds();
        return new Yardstick(
                instance, goal, Math.max(bound, shortest), shortest * (1 + goal.portTolerance()), fewest.portBound());
    }

    /** The topology as an answer; one simulation. */
    DeltaSolution measure(Topology topology) {
        double makespan = new Simulator(instance)
                .makespanSeconds(topology, goal.algorithm().rates());
        double bound = Math.min(lowerBoundSeconds, makespan);
        int ports = SolutionVerifier.ports(instance, topology);
        boolean shortest = makespan - bound <= DeltaSolution.PROOF_TOLERANCE * makespan;
        boolean fewest = makespan <= limitSeconds * (1 + DeltaSolution.PROOF_TOLERANCE) && ports == portBound;
        DeltaSolution solution = new DeltaSolution(
                goal,
                topology,
                makespan,
                bound,
                goal.minimizePorts() ? fewest : shortest,
                NormalizedTime.of(instance).nct(makespan),
                ports,
                goal.minimizePorts() ? Math.min(ports, portBound) : ports,
                instance.portBudget());
        List<String> wrong = SolutionVerifier.violations(instance, solution);
        if (!wrong.isEmpty()) {
            throw new IllegalStateException(instance.name() + ": " + String.join("; ", wrong));
        }
        return solution;
    }
}
