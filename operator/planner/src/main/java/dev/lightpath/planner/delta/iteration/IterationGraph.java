package dev.lightpath.planner.delta.iteration;

import java.util.Arrays;

/**
 * The un-reduced DAG of an iteration: numbered nodes of fixed duration or transfers, and edges. Grows, then is read by
 * {@link Reduction}.
 */
final class IterationGraph {
    private double[] seconds;
    private int[] task;
    private int nodes;
    private int[] from;
    private int[] to;
    private int edges;

    IterationGraph(int expectedNodes) {
        seconds = new double[Math.max(4, expectedNodes)];
        task = new int[seconds.length];
        from = new int[2 * seconds.length];
        to = new int[from.length];
    }

    /** A node that takes a fixed time. */
    int rigid(double duration) {
        return node(duration, -1);
    }

    /** A node whose duration the network decides. */
    int transfer(int taskId) {
        return node(0, taskId);
    }

    void edge(int before, int after) {
        if (edges == from.length) {
            from = Arrays.copyOf(from, 2 * edges);
            to = Arrays.copyOf(to, 2 * edges);
        }
        from[edges] = before;
        to[edges++] = after;
    }

    int nodes() {
        return nodes;
    }

    int edges() {
        return edges;
    }

    int from(int edge) {
        return from[edge];
    }

    int to(int edge) {
        return to[edge];
    }

    double seconds(int node) {
        return seconds[node];
    }

    /** The task id of a transfer, -1 for a rigid node. */
    int task(int node) {
        return task[node];
    }

    private int node(double duration, int taskId) {
        if (nodes == seconds.length) {
            seconds = Arrays.copyOf(seconds, 2 * nodes);
            task = Arrays.copyOf(task, 2 * nodes);
        }
        seconds[nodes] = duration;
        task[nodes] = taskId;
        return nodes++;
    }
}
