package dev.lightpath.planner.delta.simulation;

import dev.lightpath.planner.delta.model.DeltaInstance;
import java.util.List;

/**
 * When each task can run at all (Algorithm 4, CalTaskTimeWindows).
 *
 * @param earliestStartSeconds per task, every transfer before it at the rate of its network cards
 * @param latestEndSeconds per task, so that the iteration can still end within the limit
 */
public record TimeWindows(List<Double> earliestStartSeconds, List<Double> latestEndSeconds) {
    /** Keeps copies; O(tasks). */
    public TimeWindows {
        earliestStartSeconds = List.copyOf(earliestStartSeconds);
        latestEndSeconds = List.copyOf(latestEndSeconds);
    }

    /**
     * Windows for iterations of at most the given length (Algorithm 4 of Appendix C); O(size of the instance).
     *
     * @param limitSeconds an upper bound of the makespan (T_up)
     */
    public static TimeWindows of(DeltaInstance instance, double limitSeconds) {
        return of(new FlowNetwork(instance), limitSeconds);
    }

    public static TimeWindows of(FlowNetwork network, double limitSeconds) {
        CriticalPath paths = new CriticalPath(network);
        double[] duration = new double[network.tasks];
        double[] head = new double[network.tasks];
        double[] tail = new double[network.tasks];
        paths.aloneDurations(new int[network.groups], duration);
        paths.heads(duration, head);
        paths.tails(duration, tail);
        Double[] starts = new Double[network.tasks];
        Double[] ends = new Double[network.tasks];
        for (int m = 0; m < network.tasks; m++) {
            starts[m] = head[m];
            ends[m] = limitSeconds - tail[m];
        }
        return new TimeWindows(List.of(starts), List.of(ends));
    }
}
