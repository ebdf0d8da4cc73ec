package dev.lightpath.planner.delta;

import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Pod;
import dev.lightpath.planner.delta.search.InfeasibleBudget;
import dev.lightpath.planner.delta.search.SearchLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Gives the ports one job can spare to a second job on the same pods (section V-D, Fig. 10).
 *
 * @param modelBefore the first job with the shortest makespan
 * @param modelAfter the first job with the fewest ports
 * @param transposedBefore the second job within its own ports
 * @param transposedAfter the second job with the freed ports too
 * @param freedPorts per counted pod id of the first job
 */
public record PortReallocation(
        DeltaSolution modelBefore,
        DeltaSolution modelAfter,
        DeltaSolution transposedBefore,
        DeltaSolution transposedAfter,
        SortedMap<Integer, Integer> freedPorts) {

    /**
     * Solves both jobs. Pods with the same id are the same pod, so pod i of the transposed job gets the ports that the
     * model leaves in the pod of its last-but-i stages (section V-D). Four calls of the planner.
     *
     * @param model the job that gives
     * @param transposed the job that takes
     * @param portTolerance how much longer, relatively, the first job may take to free ports
     * @param planner solves each question
     * @param limits of each call
     * @throws InfeasibleBudget when a job does not fit its ports
     */
    public static PortReallocation between(
            DeltaInstance model,
            DeltaInstance transposed,
            Algorithm algorithm,
            double portTolerance,
            TopologyPlanner planner,
            SearchLimits limits) {
        DeltaSolution before = planner.solve(model, Goal.shortest(algorithm), limits);
        DeltaSolution after = planner.solve(model, Goal.fewestPorts(algorithm, portTolerance), limits);
        Map<Integer, Integer> used = SolutionVerifier.used(model, after.topology());
        SortedMap<Integer, Integer> freed = new TreeMap<>();
        for (Pod pod : model.pods()) {
            if (pod.counted()) {
                freed.put(pod.id(), pod.ports() - used.getOrDefault(pod.id(), 0));
            }
        }
        List<Integer> ports = new ArrayList<>();
        for (Pod pod : transposed.pods()) {
            ports.add(pod.ports() + (pod.counted() ? freed.getOrDefault(pod.id(), 0) : 0));
        }
        return new PortReallocation(
                before,
                after,
                planner.solve(transposed, Goal.shortest(algorithm), limits),
                planner.solve(transposed.withPorts(ports), Goal.shortest(algorithm), limits),
                freed);
    }
}
