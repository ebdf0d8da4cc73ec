package dev.lightpath.planner.delta.search;

import dev.lightpath.planner.delta.simulation.CriticalPath;
import dev.lightpath.planner.delta.simulation.FlowNetwork;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A makespan in seconds that no schedule with any rates can beat on a given topology. It never grows when a circuit is
 * added, so the bound of the largest topology of a box holds for the whole box.
 *
 * <p>It is the largest of:
 *
 * <ul>
 * <li>the longest path with each task alone on its link
 * <li>for each link and card, the preemptive one-machine bound over all sets of its tasks (head + work + tail, by
 *     Jackson's preemptive schedule)
 * <li>for the tasks that no task waits for, every subset S of those on one link or card: last release + (volume of S -
 *     what could have been carried before) / joint rate of S
 * </ul>
 *
 * <p>O(tasks log tasks + dependencies + subsets). One object is one workspace and belongs to one thread.
 */
public final class LowerBound {
    /** Above this many final tasks on a resource only the subsets that are contiguous in release order are tried. */
    private static final int SUBSET_LIMIT = 9;

    /** Longest such window that does not reach to the last task. */
    private static final int WINDOW_LIMIT = 32;

    /** From so many of the latest tasks windows reach to the last task: each is walked to its end. */
    private static final int START_LIMIT = 1 << 10;

    private final FlowNetwork network;
    private final CriticalPath paths;
    private final double[] duration;
    private final double[] head;
    private final double[] tail;
    private final int[][] byHead;
    private final int[][] finals;
    private final double[] left;
    private final int[] heap;
    private int heapSize;

    public LowerBound(FlowNetwork network) {
        this.network = network;
        paths = new CriticalPath(network);
        duration = new double[network.tasks];
        head = new double[network.tasks];
        tail = new double[network.tasks];
        left = new double[network.tasks];
        byHead = new int[network.resources][];
        finals = new int[network.resources][];
        int most = 1;
        for (int r = 0; r < network.resources; r++) {
            byHead[r] = Arrays.copyOfRange(network.loadTask, network.loadFrom[r], network.loadFrom[r + 1]);
            most = Math.max(most, byHead[r].length);
            List<Integer> last = new ArrayList<>();
            for (int m : byHead[r]) {
                if (network.nextFrom[m] == network.nextFrom[m + 1]) {
                    last.add(m);
                }
            }
            finals[r] = last.stream().mapToInt(Integer::intValue).toArray();
        }
        heap = new int[most];
    }

    /** The bound for one topology, seconds. */
    public double seconds(int[] circuits) {
        paths.aloneDurations(circuits, duration);
        double bound = paths.heads(duration, head);
        paths.tails(duration, tail);
        for (int r = 0; r < network.resources; r++) {
            double capacity = r < network.links ? circuits[network.linkGroup[r]] * network.circuit : network.circuit;
            bound = Math.max(bound, oneMachine(r, capacity));
            bound = Math.max(bound, finalTasks(r, capacity));
        }
        return bound;
    }

    /**
     * Counted pods, the one whose circuits carry the latest-starting task first: the end of an iteration is decided
     * there.
     */
    int[] podsByLatestTask() {
        paths.aloneDurations(network.usefulCircuits(), duration);
        paths.heads(duration, head);
        double[] latest = new double[network.podPorts.length];
        for (int m = 0; m < network.tasks; m++) {
            int g = network.linkGroup[network.taskLink[m]];
            for (int p = 0; p < latest.length; p++) {
                if (network.ends[g][p] > 0) {
                    latest[p] = Math.max(latest[p], head[m]);
                }
            }
        }
        return IntStream.range(0, latest.length)
                .boxed()
                .sorted(Comparator.<Integer>comparingDouble(p -> -latest[p]).thenComparingInt(p -> p))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private double weight(int m, int resource) {
        for (int u = network.useFrom[m]; u < network.useFrom[m + 1]; u++) {
            if (network.useResource[u] == resource) {
                return network.useWeight[u];
            }
        }
        throw new IllegalStateException("task " + m + " does not use resource " + resource);
    }

    private void sortByHead(int[] tasks) {
        for (int i = 1; i < tasks.length; i++) {
            int m = tasks[i];
            int at = i;
            while (at > 0 && (head[tasks[at - 1]] > head[m] || (head[tasks[at - 1]] == head[m] && tasks[at - 1] > m))) {
                tasks[at] = tasks[at - 1];
                at--;
            }
            tasks[at] = m;
        }
    }

    /**
     * Jackson's preemptive schedule: of the released tasks the one with the longest tail works; its end is the bound.
     */
    private double oneMachine(int resource, double capacity) {
        int[] tasks = byHead[resource];
        sortByHead(tasks);
        heapSize = 0;
        double now = 0;
        double bound = 0;
        int next = 0;
        while (next < tasks.length || heapSize > 0) {
            if (heapSize == 0) {
                now = Math.max(now, head[tasks[next]]);
            }
            while (next < tasks.length && head[tasks[next]] <= now) {
                int m = tasks[next++];
                left[m] = network.bytesPerFlow[m] * weight(m, resource) / capacity;
                push(m);
            }
            int m = heap[0];
            double until = next < tasks.length ? head[tasks[next]] : Double.POSITIVE_INFINITY;
            if (now + left[m] <= until) {
                now += left[m];
                bound = Math.max(bound, now + tail[m]);
                pop();
            } else {
                left[m] -= until - now;
                now = until;
            }
        }
        return bound;
    }

    private void push(int m) {
        int at = heapSize++;
        while (at > 0 && tail[heap[(at - 1) >>> 1]] < tail[m]) {
            heap[at] = heap[(at - 1) >>> 1];
            at = (at - 1) >>> 1;
        }
        heap[at] = m;
    }

    private void pop() {
        int moved = heap[--heapSize];
        int at = 0;
        while (2 * at + 1 < heapSize) {
            int child = 2 * at + 1;
            if (child + 1 < heapSize && tail[heap[child + 1]] > tail[heap[child]]) {
                child++;
            }
            if (tail[heap[child]] <= tail[moved]) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = moved;
    }

    private double finalTasks(int resource, double capacity) {
        int[] tasks = finals[resource];
        if (tasks.length < 2) {
            return 0;
        }
        sortByHead(tasks);
        double bound = 0;
        if (tasks.length <= SUBSET_LIMIT) {
            for (int set = 1; set < 1 << tasks.length; set++) {
                bound = Math.max(bound, subset(resource, capacity, tasks, 0, tasks.length, set));
            }
        } else {
            for (int from = 0; from < tasks.length; from++) {
                int until = Math.min(tasks.length, from + WINDOW_LIMIT);
                for (int to = from + 1; to < until; to++) {
                    bound = Math.max(bound, subset(resource, capacity, tasks, from, to, -1));
                }
                if (from >= tasks.length - START_LIMIT) {
                    bound = Math.max(bound, subset(resource, capacity, tasks, from, tasks.length, -1));
                }
            }
        }
        return bound;
    }

    /** Earliest time by which the tasks of a set, released at their heads, can have carried their volume together. */
    private double subset(int resource, double capacity, int[] tasks, int from, int to, int set) {
        double now = 0;
        double possible = 0;
        double carried = 0;
        double volume = 0;
        for (int i = from; i < to; i++) {
            if (set == -1 || (set & (1 << i)) != 0) {
                int m = tasks[i];
                double weight = weight(m, resource);
                carried += Math.min(possible, capacity) * (head[m] - now);
                now = head[m];
                possible += network.cardRate[m] * weight;
                volume += network.bytesPerFlow[m] * weight;
            }
        }
        return now + Math.max(0, volume - carried) / Math.min(possible, capacity);
    }
}
