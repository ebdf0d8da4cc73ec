package dev.lightpath.planner.delta.search;

import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.simulation.FlowNetwork;
import dev.lightpath.planner.delta.simulation.Schedule;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * In which of the K variable-length intervals each task may be active (Algorithm 1, TaskTimeIndexPruning), intervals
 * counted from 1.
 *
 * @param boundarySeconds where the intervals of the baseline begin, and the end of the last one: K + 1 distinct times,
 *     ascending
 * @param first earliest interval per task
 * @param last latest interval per task
 */
public record IntervalPruning(List<Double> boundarySeconds, List<Integer> first, List<Integer> last) {
    private static final double SAME_SECONDS = 1e-9;

    /** Keeps copies; O(tasks + K). */
    public IntervalPruning {
        boundarySeconds = List.copyOf(boundarySeconds);
        first = List.copyOf(first);
        last = List.copyOf(last);
    }

    /**
     * Windows around a simulated iteration (Algorithm 1); O(tasks^2 + dependencies).
     *
     * @param instance whose schedule the baseline is
     * @param baseline a schedule of the instance; its distinct starts and ends give K
     * @param anchorSlack intervals by which a task with successors may leave its place in the baseline; negative: not
     *     anchored, only the order of the DAG prunes
     */
    public static IntervalPruning of(DeltaInstance instance, Schedule baseline, int anchorSlack) {
        FlowNetwork network = new FlowNetwork(instance);
        List<Double> events = events(baseline);
        int k = events.size() - 1;
        int n = network.tasks;
        int[] first = new int[n];
        int[] last = new int[n];
        for (int m = 0; m < n; m++) {
            first[m] = 1;
            last[m] = k;
            if (anchorSlack >= 0 && network.nextFrom[m] < network.nextFrom[m + 1]) {
                Schedule.Times times = baseline.tasks().get(m);
                first[m] = Math.max(1, 1 + index(events, times.startSeconds()) - anchorSlack);
                last[m] = Math.min(k, Math.max(1, index(events, times.endSeconds())) + anchorSlack);
            }
        }
        for (int m : network.order) {
            for (int e = network.nextFrom[m]; e < network.nextFrom[m + 1]; e++) {
                int next = network.nextTask[e];
                first[next] = Math.max(first[next], first[m] + step(network.nextDelay[e]));
            }
        }
        for (int i = n - 1; i >= 0; i--) {
            int m = network.order[i];
            for (int e = network.nextFrom[m]; e < network.nextFrom[m + 1]; e++) {
                last[m] = Math.min(last[m], last[network.nextTask[e]] - step(network.nextDelay[e]));
            }
        }
        List<Integer> firsts = new ArrayList<>();
        List<Integer> lasts = new ArrayList<>();
        for (int m = 0; m < n; m++) {
            firsts.add(first[m]);
            lasts.add(last[m]);
        }
        return new IntervalPruning(events, firsts, lasts);
    }

    /** Number of intervals (K of section III-B). O(1). */
    public int intervals() {
        return boundarySeconds.size() - 1;
    }

    /** Task-interval pairs without pruning: tasks times K, the activation variables of Eq. 12. O(1). */
    public long pairs() {
        return (long) first.size() * intervals();
    }

    /** Task-interval pairs that remain after Algorithm 1 (section IV-A2). O(tasks). */
    public long remainingPairs() {
        long remaining = 0;
        for (int m = 0; m < first.size(); m++) {
            remaining += Math.max(0, last.get(m) - first.get(m) + 1);
        }
        return remaining;
    }

    private static int step(double delay) {
        return delay > 0 ? 2 : 1;
    }

    /** All distinct starts and ends, ascending; before the first nothing is active. */
    private static List<Double> events(Schedule schedule) {
        TreeSet<Double> times = new TreeSet<>();
        for (Schedule.Times task : schedule.tasks()) {
            times.add(task.startSeconds());
            times.add(task.endSeconds());
        }
        List<Double> distinct = new ArrayList<>();
        for (double time : times) {
            if (distinct.isEmpty() || time - distinct.getLast() > SAME_SECONDS) {
                distinct.add(time);
            }
        }
        return distinct;
    }

    private static int index(List<Double> events, double time) {
        int at = 0;
        while (at + 1 < events.size() && events.get(at + 1) <= time + SAME_SECONDS) {
            at++;
        }
        return at;
    }
}
