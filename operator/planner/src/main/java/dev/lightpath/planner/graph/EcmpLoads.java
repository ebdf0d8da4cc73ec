package dev.lightpath.planner.graph;

import java.util.Arrays;

/** Link loads of any graph when every hop splits evenly over all shortest paths. */
public final class EcmpLoads {
    private EcmpLoads() {}

    /**
     * Load of each directed port when every vertex sends {@code injection / (vertices - 1)} to each other. Ports are
     * numbered as {@link Graph#port} says. O(vertices * edges).
     */
    public static double[] uniform(Graph graph, double injection) {
        int n = graph.vertices();
        double[] load = new double[2 * graph.edges()];
        double[] flow = new double[n];
        int[] distance = new int[n];
        int[] queue = new int[n];
        for (int d = 0; d < n; d++) {
            int reached = Distances.search(graph, d, distance, queue);
            Arrays.fill(flow, injection / (n - 1));
            for (int i = reached - 1; i > 0; i--) {
                int v = queue[i];
                int end = graph.port(v) + graph.degree(v);
                int ways = 0;
                for (int p = graph.port(v); p < end; p++) {
                    ways += distance[graph.target(p)] == distance[v] - 1 ? 1 : 0;
                }
                double share = flow[v] / ways;
                for (int p = graph.port(v); p < end; p++) {
                    int w = graph.target(p);
                    if (distance[w] == distance[v] - 1) {
                        flow[w] += share;
                        load[p] += share;
                    }
                }
            }
        }
        return load;
    }

    /** Share of the injection that the busiest port allows, at most 1. */
    public static double throughput(double[] load) {
        return Math.min(1, 1 / Arrays.stream(load).max().orElse(1));
    }
}
