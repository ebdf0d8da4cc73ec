package dev.lightpath.app.workers;

import dev.lightpath.planner.delta.DeltaSolution;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.SolutionVerifier;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.simulation.FlowNetwork;
import dev.lightpath.planner.delta.simulation.NormalizedTime;
import dev.lightpath.proto.solver.v1alpha1.Solution;
import java.util.ArrayList;
import java.util.List;

/** Whether a worker's answer is one. */
sealed interface AnswerCheck {
    /** An answer of which everything but the bounds was computed here. */
    record Right(DeltaSolution solution) implements AnswerCheck {}

    record Wrong(String why) implements AnswerCheck {}

    /** Relative difference of figures that are taken for the same. */
    double EQUAL = 1e-9;

    /**
     * Checks ports, limits of groups, makespan and what the bounds allow ({@link SolutionVerifier}). An answer that is
     * worse than one without a search is wrong too: each search begins with that one. What stays unchecked are bounds:
     * that nothing better exists is the worker's word. Two simulations.
     *
     * @param least the answer without a search
     */
    static AnswerCheck of(DeltaInstance instance, Goal goal, DeltaSolution least, Solution said) {
        if (said.getCircuitsCount() != instance.groups().size()) {
            return new Wrong(
                    said.getCircuitsCount() + " counts for " + instance.groups().size() + " groups");
        }
        DeltaSolution solution;
        try {
            solution = solution(instance, goal, said);
        } catch (IllegalArgumentException impossible) {
            return new Wrong(String.valueOf(impossible.getMessage()));
        }
        List<String> wrong = new ArrayList<>(SolutionVerifier.violations(instance, solution));
        if (!(solution.lowerBoundSeconds() >= 0)) {
            wrong.add("lowerBoundSeconds: " + solution.lowerBoundSeconds());
        }
        if (solution.portBound() < 0) {
            wrong.add("portBound: " + solution.portBound());
        }
        double most = least.makespanSeconds() * (1 + (goal.minimizePorts() ? goal.portTolerance() : 0)) * (1 + EQUAL);
        if (wrong.isEmpty() && searches(goal) && solution.makespanSeconds() > most) {
            wrong.add("makespanSeconds: " + solution.makespanSeconds() + " is more than the " + least.makespanSeconds()
                    + " of an answer without a search");
        }
        return wrong.isEmpty() ? new Right(solution) : new Wrong(String.join("; ", wrong));
    }

    private static DeltaSolution solution(DeltaInstance instance, Goal goal, Solution said) {
        Topology topology = new Topology(said.getCircuitsList());
        return new DeltaSolution(
                goal,
                topology,
                said.getMakespanSeconds(),
                said.getLowerBoundSeconds(),
                said.getProved(),
                NormalizedTime.of(new FlowNetwork(instance)).nct(said.getMakespanSeconds()),
                SolutionVerifier.ports(instance, topology),
                said.getPortBound(),
                instance.portBudget());
    }

    /** Other algorithms only divide the ports by a rule, which may be worse than that of the square root. */
    private static boolean searches(Goal goal) {
        return switch (goal.algorithm()) {
            case JOINT, TOPOLOGY, FAST -> true;
            case PROP, SQRT, ITER_HALVE -> false;
        };
    }
}
