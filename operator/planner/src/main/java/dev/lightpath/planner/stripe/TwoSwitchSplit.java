package dev.lightpath.planner.stripe;

import java.util.Arrays;

/**
 * The best split of a bipartite demand over two switches: a minimum-cost circulation, reached from any feasible split
 * by cancelling negative cycles (Bellman-Ford). Exact, because keeping light is concave in the count on one switch. At
 * most as many cycles as circuits, O(nodes * pairs) each.
 */
final class TwoSwitchSplit {
    private final CircuitGraph graph;
    /** Circuits of a pair on switch 0. */
    private final int[] count;
    /** Circuits at a node on switch 0. */
    private final int[] load;

    private final int[] degree;
    private final int[] distance;
    private final int[] parent;
    private final int[] parentPair;

    private TwoSwitchSplit(CircuitGraph graph, int[] placed) {
        this.graph = graph;
        count = new int[graph.pairs()];
        load = new int[graph.nodes];
        degree = new int[graph.nodes];
        for (int q = 0; q < count.length; q++) {
            count[q] = placed[2 * q];
            load[graph.first[q]] += count[q];
            load[graph.second[q]] += count[q];
            degree[graph.first[q]] += graph.wanted[q];
            degree[graph.second[q]] += graph.wanted[q];
        }
        distance = new int[graph.nodes + 1];
        parent = new int[graph.nodes + 1];
        parentPair = new int[graph.nodes + 1];
    }

    /** Counts per pair and switch that keep the most light, given complete and feasible ones. */
    static int[] improve(CircuitGraph graph, int[] placed) {
        TwoSwitchSplit split = new TwoSwitchSplit(graph, placed);
        while (split.cancel()) {
            // each cycle keeps at least one circuit more
        }
        int[] result = new int[placed.length];
        for (int q = 0; q < split.count.length; q++) {
            result[2 * q] = split.count[q];
            result[2 * q + 1] = graph.wanted[q] - split.count[q];
        }
        return result;
    }

    private int kept(int q, int onFirst) {
        return Math.min(onFirst, graph.old[2 * q]) + Math.min(graph.wanted[q] - onFirst, graph.old[2 * q + 1]);
    }

    private boolean cancel() {
        int hub = graph.nodes;
        Arrays.fill(distance, 0);
        Arrays.fill(parent, -1);
        int touched = -1;
        for (int round = 0; round <= graph.nodes + 1; round++) {
            touched = -1;
            for (int q = 0; q < count.length; q++) {
                int here = kept(q, count[q]);
                if (count[q] < graph.wanted[q]) {
                    touched = relax(graph.first[q], graph.second[q], here - kept(q, count[q] + 1), q, touched);
                }
                if (count[q] > 0) {
                    touched = relax(graph.second[q], graph.first[q], here - kept(q, count[q] - 1), q, touched);
                }
            }
            int pods = graph.nodes / 2;
            for (int v = 0; v < graph.nodes; v++) {
                boolean more = load[v] < graph.capacity[2 * v];
                boolean less = load[v] > degree[v] - graph.capacity[2 * v + 1];
                if (v < pods ? more : less) {
                    touched = relax(hub, v, 0, -1, touched);
                }
                if (v < pods ? less : more) {
                    touched = relax(v, hub, 0, -1, touched);
                }
            }
            if (touched < 0) {
                return false;
            }
        }
        int node = touched;
        for (int i = 0; i <= hub; i++) {
            node = parent[node];
        }
        int end = node;
        do {
            int before = parent[node];
            int q = parentPair[node];
            if (q >= 0) {
                int delta = before == graph.first[q] ? 1 : -1;
                count[q] += delta;
                load[graph.first[q]] += delta;
                load[graph.second[q]] += delta;
            }
            node = before;
        } while (node != end);
        return true;
    }

    private int relax(int from, int to, int cost, int q, int touched) {
        if (distance[from] + cost < distance[to]) {
            distance[to] = distance[from] + cost;
            parent[to] = from;
            parentPair[to] = q;
            return to;
        }
        return touched;
    }
}
