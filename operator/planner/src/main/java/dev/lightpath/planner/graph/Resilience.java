package dev.lightpath.planner.graph;

import java.util.Arrays;
import java.util.SplittableRandom;

/** What random link failures do to a graph. */
public final class Resilience {
    private Resilience() {}

    /**
     * The median share of links that must fail, one after the other in random order, to cut the graph in two. O(runs *
     * edges).
     */
    public static double medianDisconnectionRatio(Graph graph, int runs, long seed) {
        double[] ratios = new double[runs];
        for (int run = 0; run < runs; run++) {
            ratios[run] = disconnectionRatio(graph, order(graph.edges(), seed + run));
        }
        Arrays.sort(ratios);
        return (ratios[(runs - 1) / 2] + ratios[runs / 2]) / 2;
    }

    /**
     * The share of links whose failure first disconnects, found backwards: links come up until all vertices are joined.
     */
    private static double disconnectionRatio(Graph graph, int[] order) {
        int[] ends = graph.ends();
        int[] root = new int[graph.vertices()];
        Arrays.setAll(root, v -> v);
        int parts = root.length;
        for (int i = order.length - 1; i >= 0; i--) {
            int a = find(root, ends[2 * order[i]]);
            int b = find(root, ends[2 * order[i] + 1]);
            if (a != b) {
                root[a] = b;
                if (--parts == 1) {
                    return (double) (i + 1) / order.length;
                }
            }
        }
        return 0;
    }

    /** Distances after a share of the links, drawn at random, have failed. */
    public static Distances afterFailures(Graph graph, double share, long seed) {
        int[] order = order(graph.edges(), seed);
        int[] ends = graph.ends();
        int failed = (int) Math.round(share * order.length);
        int[] left = new int[2 * (order.length - failed)];
        for (int i = failed; i < order.length; i++) {
            left[2 * (i - failed)] = ends[2 * order[i]];
            left[2 * (i - failed) + 1] = ends[2 * order[i] + 1];
        }
        return Distances.of(Graph.of(graph.vertices(), left));
    }

    private static int[] order(int edges, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] order = new int[edges];
        for (int i = 0; i < edges; i++) {
            int j = random.nextInt(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        return order;
    }

    private static int find(int[] root, int v) {
        int node = v;
        while (root[node] != node) {
            root[node] = root[root[node]];
            node = root[node];
        }
        return node;
    }
}
