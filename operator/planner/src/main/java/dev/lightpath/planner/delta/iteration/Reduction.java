package dev.lightpath.planner.delta.iteration;

import dev.lightpath.planner.delta.model.Dependency;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Replaces everything rigid between transfers by delays (section III-A). It also drops each dependency that a later
 * transfer implies: e before m is dropped if another predecessor f of m has LP(e,f) + delay(f,m) >= delay(e,m) - 1e-12,
 * with LP the longest path when transfers take no time.
 *
 * <p>Candidates go from node to node and are pruned on the way. This gives the same result as pruning at the end,
 * because a candidate implied at a node stays implied after it. Longest paths are kept for transfers at most
 * {@link #WINDOW} apart in topological order. Farther ones count as unrelated, which may keep a redundant dependency
 * and never loses one.
 */
final class Reduction {
    private static final int WINDOW = 2048;
    private static final double TOLERANCE_SECONDS = 1e-12;
    private static final double[] NONE = {};

    private final IterationGraph graph;
    private final TraceEffort effort;
    private final List<Dependency> dependencies = new ArrayList<>();
    /** Place of a task among tasks in topological order. */
    private final int[] place;
    /** Longest path from the start to the end of a task, transfers taking no time. */
    private final double[] reach;
    /**
     * Per place, longest paths from the tasks of the window before it; column place - WINDOW + c of the earlier task.
     */
    private final double[][] longest;

    private int placed;
    private long kept;
    private long looks;

    private Reduction(IterationGraph graph, int tasks, TraceEffort effort) {
        this.graph = graph;
        this.effort = effort;
        place = new int[tasks];
        reach = new double[tasks];
        longest = new double[tasks][];
    }

    /** The dependencies of the reduced DAG, grouped by successor in topological order. */
    static List<Dependency> reduce(IterationGraph graph, int tasks) {
        return reduce(graph, tasks, TraceEffort.ALL);
    }

    /**
     * The same, if it can be had.
     *
     * @throws IllegalArgumentException when steps wait for so many transfers at a time that it takes more than this
     */
    static List<Dependency> reduce(IterationGraph graph, int tasks, TraceEffort effort) {
        Reduction reduction = new Reduction(graph, tasks, effort);
        reduction.run();
        return reduction.dependencies;
    }

    /** Transfers (or the start) that reach a node through rigid nodes only, with the longest delay from each. */
    private record Candidates(int[] task, double[] delay) {
        static final Candidates START = new Candidates(new int[] {Dependency.START}, new double[] {0});
    }

    private void run() {
        int n = graph.nodes();
        int[] waiting = new int[n];
        int[] first = new int[n + 1];
        for (int e = 0; e < graph.edges(); e++) {
            waiting[graph.to(e)]++;
            first[graph.from(e) + 1]++;
        }
        int[] intoFirst = new int[n + 1];
        for (int i = 0; i < n; i++) {
            first[i + 1] += first[i];
            intoFirst[i + 1] = intoFirst[i] + waiting[i];
        }
        int[] next = new int[graph.edges()];
        int[] previous = new int[graph.edges()];
        int[] put = Arrays.copyOf(first, n);
        int[] putInto = Arrays.copyOf(intoFirst, n);
        for (int e = 0; e < graph.edges(); e++) {
            next[put[graph.from(e)]++] = graph.to(e);
            previous[putInto[graph.to(e)]++] = graph.from(e);
        }
        int[] queue = new int[n];
        int tail = 0;
        for (int i = 0; i < n; i++) {
            if (waiting[i] == 0) {
                queue[tail++] = i;
            }
        }
        Candidates[] after = new Candidates[n];
        for (int head = 0; head < tail; head++) {
            int node = queue[head];
            Candidates before = Candidates.START;
            int into = intoFirst[node + 1] - intoFirst[node];
            if (into == 1) {
                // pruned already, and waiting for one step shifts all alike
                before = after[previous[intoFirst[node]]];
            } else if (into > 1) {
                before = prune(merge(after, previous, intoFirst[node], intoFirst[node + 1]));
            }
            kept += before.task.length;
            requireKept(kept);
            after[node] = graph.task(node) < 0 ? delayed(before, graph.seconds(node)) : transfer(node, before);
            for (int e = first[node]; e < first[node + 1]; e++) {
                if (--waiting[next[e]] == 0) {
                    queue[tail++] = next[e];
                }
            }
        }
    }

    private void requireKept(long transfers) {
        requireAtMost(
                transfers,
                effort.kept(),
                "transfers between pods that steps wait for, all steps together (2000 steps after an exchange of 64 pods"
                        + " with each other)");
    }

    private void requireLooks() {
        requireAtMost(
                looks,
                effort.looks(),
                "comparisons of transfers between pods that a step waits for (100 steps that wait for two others after"
                        + " an exchange of 64 pods with each other)");
    }

    private static void requireAtMost(long found, long most, String what) {
        if (found > most) {
            throw new IllegalArgumentException("the iteration is too much, allowed: at most " + most + " " + what
                    + "; record fewer micro-batches");
        }
    }

    /** What waits for more than one step, transfers that several of these wait for once. */
    private Candidates merge(Candidates[] after, int[] previous, int from, int to) {
        long all = 0;
        for (int e = from; e < to; e++) {
            all += after[previous[e]].task.length;
        }
        requireKept(all);
        int most = Math.toIntExact(all);
        int[] task = new int[most];
        double[] delay = new double[most];
        int size = 0;
        for (int e = from; e < to; e++) {
            Candidates one = after[previous[e]];
            for (int i = 0; i < one.task.length; i++) {
                int at = 0;
                while (at < size && task[at] != one.task[i]) {
                    at++;
                }
                looks += at;
                requireLooks();
                if (at == size) {
                    task[size] = one.task[i];
                    delay[size++] = one.delay[i];
                } else {
                    delay[at] = Math.max(delay[at], one.delay[i]);
                }
            }
        }
        return new Candidates(Arrays.copyOf(task, size), Arrays.copyOf(delay, size));
    }

    private Candidates prune(Candidates all) {
        int n = all.task.length;
        int[] task = new int[n];
        double[] delay = new double[n];
        int size = 0;
        for (int i = 0; i < n; i++) {
            boolean implied = false;
            looks += n;
            requireLooks();
            for (int j = 0; j < n && !implied; j++) {
                implied = j != i
                        && all.task[j] != Dependency.START
                        && path(all.task[i], all.task[j]) + all.delay[j] >= all.delay[i] - TOLERANCE_SECONDS;
            }
            if (!implied) {
                task[size] = all.task[i];
                delay[size++] = all.delay[i];
            }
        }
        return size == n ? all : new Candidates(Arrays.copyOf(task, size), Arrays.copyOf(delay, size));
    }

    private static Candidates delayed(Candidates before, double seconds) {
        double[] delay = before.delay.clone();
        for (int i = 0; i < delay.length; i++) {
            delay[i] += seconds;
        }
        return new Candidates(before.task, delay);
    }

    private Candidates transfer(int node, Candidates before) {
        int task = graph.task(node);
        int at = placed++;
        place[task] = at;
        double[] row = row(at);
        requireAtMost(
                (long) dependencies.size() + before.task.length,
                effort.dependencies(),
                "dependencies of transfers between pods on each other (160 exchanges of 8 pods with each other, one after the"
                        + " other, or 10 of 16)");
        for (int i = 0; i < before.task.length; i++) {
            int pre = before.task[i];
            double delay = before.delay[i];
            dependencies.add(new Dependency(pre, task, delay));
            if (pre == Dependency.START) {
                reach[task] = Math.max(reach[task], delay);
            } else {
                reach[task] = Math.max(reach[task], reach[pre] + delay);
                inherit(row, at, place[pre], delay);
            }
        }
        longest[at] = row;
        return new Candidates(new int[] {task}, new double[] {0});
    }

    /** Of minus infinities: the one that falls out of the window, emptied, as soon as there is one. */
    private double[] row(int at) {
        double[] row;
        if (at < WINDOW) {
            row = new double[WINDOW];
        } else {
            row = longest[at - WINDOW];
            longest[at - WINDOW] = NONE;
        }
        Arrays.fill(row, Double.NEGATIVE_INFINITY);
        return row;
    }

    private void inherit(double[] row, int at, int prePlace, double delay) {
        int shift = at - prePlace;
        if (shift >= WINDOW) {
            return;
        }
        row[WINDOW - shift] = Math.max(row[WINDOW - shift], delay);
        double[] earlier = longest[prePlace];
        for (int c = shift; c < earlier.length; c++) {
            row[c - shift] = Math.max(row[c - shift], earlier[c] + delay);
        }
    }

    /** Longest path between the ends of two transfers, or minus infinity. */
    private double path(int from, int to) {
        if (from == Dependency.START) {
            return reach[to];
        }
        int apart = place[to] - place[from];
        if (apart <= 0 || apart > WINDOW) {
            return Double.NEGATIVE_INFINITY;
        }
        double[] row = longest[place[to]];
        return row.length == 0 ? Double.NEGATIVE_INFINITY : row[WINDOW - apart];
    }
}
