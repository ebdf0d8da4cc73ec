package dev.lightpath.planner.delta;

import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Pod;
import dev.lightpath.planner.delta.model.PodPair;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.simulation.Simulator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks an answer independently of its planner: counts the ports from the instance itself, simulates the iteration
 * again, and compares every claim.
 */
public final class SolutionVerifier {
    private static final double EQUAL = 1e-9;

    private SolutionVerifier() {}

    /**
     * What is wrong with an answer, one line each, empty when nothing is: group limits and ports (Eq. 5), their sum,
     * makespan (Eq. 18), bounds, and claims of a proof. One simulation and O(pairs).
     */
    public static List<String> violations(DeltaInstance instance, DeltaSolution solution) {
        List<String> wrong = new ArrayList<>(portViolations(instance, solution.topology()));
        if (!wrong.isEmpty()) {
            return wrong;
        }
        int ports = ports(instance, solution.topology());
        if (ports != solution.ports()) {
            wrong.add("ports: " + solution.ports() + " claimed, " + ports + " counted");
        }
        if (solution.portBound() > ports) {
            wrong.add("portBound: " + solution.portBound() + " is above the " + ports + " ports used");
        }
        if (solution.portBudget() != instance.portBudget()) {
            wrong.add("portBudget: " + solution.portBudget() + " claimed, " + instance.portBudget() + " offered");
        }
        double makespan = new Simulator(instance)
                .makespanSeconds(
                        solution.topology(), solution.goal().algorithm().rates());
        if (!(Math.abs(makespan - solution.makespanSeconds()) <= EQUAL * makespan)) {
            wrong.add("makespanSeconds: " + solution.makespanSeconds() + " claimed, " + makespan + " simulated");
        }
        if (solution.lowerBoundSeconds() > makespan * (1 + EQUAL)) {
            wrong.add("lowerBoundSeconds: " + solution.lowerBoundSeconds() + " is above the makespan " + makespan);
        }
        double allowed = DeltaSolution.PROOF_TOLERANCE
                + (solution.goal().minimizePorts() ? solution.goal().portTolerance() + EQUAL : 0);
        if (solution.proved() && solution.gap() > allowed) {
            wrong.add("proved: claimed with a gap of " + solution.gap());
        }
        if (solution.proved() && solution.portBound() != ports) {
            wrong.add("proved: claimed with " + ports + " ports and a bound of " + solution.portBound());
        }
        return wrong;
    }

    /**
     * How a topology breaks the limits of its instance, one line each, empty when it does not. Checks the number of
     * counts, circuits per pair against the limit of its group, and circuit ends of counted pods against their ports
     * (Eq. 5). O(pairs + pods).
     *
     * @param topology circuits per pair, one count per group
     */
    public static List<String> portViolations(DeltaInstance instance, Topology topology) {
        List<String> wrong = new ArrayList<>();
        if (topology.circuits().size() != instance.groups().size()) {
            wrong.add("topology: " + topology.circuits().size() + " counts for "
                    + instance.groups().size() + " groups");
            return wrong;
        }
        for (int g = 0; g < instance.groups().size(); g++) {
            int limit = instance.groups().get(g).maxCircuits();
            if (topology.circuits().get(g) > limit) {
                wrong.add(
                        "topology[" + g + "]: " + topology.circuits().get(g) + " circuits, the group allows " + limit);
            }
        }
        Map<Integer, Integer> used = used(instance, topology);
        for (Pod pod : instance.pods()) {
            int ends = used.getOrDefault(pod.id(), 0);
            if (pod.counted() && ends > pod.ports()) {
                wrong.add("pod " + pod.id() + ": " + ends + " circuit ends, it has " + pod.ports() + " ports");
            }
        }
        return wrong;
    }

    /**
     * Whether each counted pod has ports enough for the topology (Eq. 5), whatever the groups allow. O(pairs + pods).
     *
     * @param topology circuits per pair, one count per group; another number of counts is an IndexOutOfBoundsException
     */
    public static boolean fitsPorts(DeltaInstance instance, Topology topology) {
        Map<Integer, Integer> used = used(instance, topology);
        return instance.pods().stream().noneMatch(pod -> pod.counted() && used.getOrDefault(pod.id(), 0) > pod.ports());
    }

    /**
     * Circuit ends of the topology in counted pods (the objective of Eq. 4); {@link Integer#MAX_VALUE} when there are
     * more. O(pairs + pods).
     */
    public static int ports(DeltaInstance instance, Topology topology) {
        Map<Integer, Integer> used = used(instance, topology);
        return instance.pods().stream()
                .filter(Pod::counted)
                .map(pod -> used.getOrDefault(pod.id(), 0))
                .reduce(0, SolutionVerifier::sum);
    }

    /**
     * Circuit ends of the topology per pod id (left side of Eq. 5); {@link Integer#MAX_VALUE} when there are more.
     * O(pairs).
     */
    public static Map<Integer, Integer> used(DeltaInstance instance, Topology topology) {
        Map<Integer, Integer> used = new HashMap<>();
        for (int g = 0; g < instance.groups().size(); g++) {
            for (PodPair pair : instance.groups().get(g).pairs()) {
                used.merge(pair.first(), topology.circuits().get(g), SolutionVerifier::sum);
                used.merge(pair.second(), topology.circuits().get(g), SolutionVerifier::sum);
            }
        }
        return used;
    }

    private static int sum(int first, int second) {
        return (int) Math.min(Integer.MAX_VALUE, (long) first + second);
    }

    static void require(DeltaInstance instance, DeltaSolution solution) {
        List<String> wrong = violations(instance, solution);
        if (!wrong.isEmpty()) {
            throw new IllegalStateException(instance.name() + ": " + String.join("; ", wrong));
        }
    }
}
