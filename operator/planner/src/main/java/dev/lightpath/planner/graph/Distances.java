package dev.lightpath.planner.graph;

import java.util.Arrays;

/**
 * Hop counts over all ordered pairs of distinct vertices.
 *
 * @param connected whether every pair has a path; if not, the other figures cover the pairs that have one
 * @param diameter the most hops
 * @param averageShortestPath mean hops over ordered pairs of distinct vertices
 */
public record Distances(boolean connected, int diameter, double averageShortestPath) {

    /** Breadth-first search from every vertex, O(vertices * edges). */
    public static Distances of(Graph graph) {
        int n = graph.vertices();
        int[] distance = new int[n];
        int[] queue = new int[n];
        long total = 0;
        long pairs = 0;
        int diameter = 0;
        for (int s = 0; s < n; s++) {
            int reached = search(graph, s, distance, queue);
            for (int i = 1; i < reached; i++) {
                total += distance[queue[i]];
            }
            pairs += reached - 1;
            if (reached > 1) {
                diameter = Math.max(diameter, distance[queue[reached - 1]]);
            }
        }
        return new Distances(pairs == (long) n * (n - 1), diameter, pairs == 0 ? 0 : (double) total / pairs);
    }

    /**
     * Hops from one vertex, -1 where there is no path.
     *
     * @param queue receives the reached vertices in order of distance
     * @return how many were reached
     */
    public static int search(Graph graph, int source, int[] distance, int[] queue) {
        Arrays.fill(distance, -1);
        distance[source] = 0;
        queue[0] = source;
        int tail = 1;
        for (int head = 0; head < tail; head++) {
            int v = queue[head];
            int end = graph.port(v) + graph.degree(v);
            for (int p = graph.port(v); p < end; p++) {
                int w = graph.target(p);
                if (distance[w] < 0) {
                    distance[w] = distance[v] + 1;
                    queue[tail++] = w;
                }
            }
        }
        return tail;
    }
}
