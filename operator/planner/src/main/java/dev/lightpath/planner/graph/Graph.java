package dev.lightpath.planner.graph;

import java.util.Arrays;
import java.util.List;

/**
 * An undirected multigraph without loops. Neighbours of a vertex are sorted. Memory: one int per edge end and one per
 * vertex.
 */
public final class Graph {
    private final int[] start;
    private final int[] neighbours;

    private Graph(int[] start, int[] neighbours) {
        this.start = start;
        this.neighbours = neighbours;
    }

    /**
     * A graph of the given edges.
     *
     * @param ends two vertices per edge, at 2e and 2e + 1
     * @throws IllegalArgumentException if an edge is a loop or leaves the range of vertices
     */
    public static Graph of(int vertices, int[] ends) {
        int[] start = new int[vertices + 1];
        for (int i = 0; i < ends.length; i += 2) {
            if (ends[i] == ends[i + 1]
                    || Math.min(ends[i], ends[i + 1]) < 0
                    || Math.max(ends[i], ends[i + 1]) >= vertices) {
                throw new IllegalArgumentException(
                        "edge " + ends[i] + "-" + ends[i + 1] + " is a loop or leaves 0.." + (vertices - 1));
            }
            start[ends[i] + 1]++;
            start[ends[i + 1] + 1]++;
        }
        for (int v = 0; v < vertices; v++) {
            start[v + 1] += start[v];
        }
        int[] next = Arrays.copyOf(start, vertices);
        int[] neighbours = new int[ends.length];
        for (int i = 0; i < ends.length; i += 2) {
            neighbours[next[ends[i]]++] = ends[i + 1];
            neighbours[next[ends[i + 1]]++] = ends[i];
        }
        for (int v = 0; v < vertices; v++) {
            Arrays.sort(neighbours, start[v], start[v + 1]);
        }
        return new Graph(start, neighbours);
    }

    /** A graph of edges written as pairs of vertices. */
    public static Graph of(int vertices, List<int[]> edges) {
        int[] ends = new int[2 * edges.size()];
        for (int e = 0; e < edges.size(); e++) {
            ends[2 * e] = edges.get(e)[0];
            ends[2 * e + 1] = edges.get(e)[1];
        }
        return of(vertices, ends);
    }

    public int vertices() {
        return start.length - 1;
    }

    public int edges() {
        return neighbours.length / 2;
    }

    public int degree(int v) {
        return start[v + 1] - start[v];
    }

    /** The i-th neighbour of v in ascending order. */
    public int neighbour(int v, int i) {
        return neighbours[start[v] + i];
    }

    /**
     * Position of v's first port among all directed ports; ports of v are {@code port(v) ... port(v) + degree(v) - 1}.
     */
    public int port(int v) {
        return start[v];
    }

    /** The vertex a directed port leads to. */
    public int target(int port) {
        return neighbours[port];
    }

    /** Whether an edge joins two vertices; O(log degree). */
    public boolean adjacent(int a, int b) {
        return Arrays.binarySearch(neighbours, start[a], start[a + 1], b) >= 0;
    }

    /** The directed port from a to b, or a negative number if there is none. */
    public int portTo(int a, int b) {
        return Arrays.binarySearch(neighbours, start[a], start[a + 1], b);
    }

    public int maxDegree() {
        int most = 0;
        for (int v = 0; v < vertices(); v++) {
            most = Math.max(most, degree(v));
        }
        return most;
    }

    public int minDegree() {
        int least = Integer.MAX_VALUE;
        for (int v = 0; v < vertices(); v++) {
            least = Math.min(least, degree(v));
        }
        return least;
    }

    /** Two vertices per edge, lower first, in order. */
    public int[] ends() {
        int[] ends = new int[neighbours.length];
        int at = 0;
        for (int v = 0; v < vertices(); v++) {
            for (int p = start[v]; p < start[v + 1]; p++) {
                if (v < neighbours[p]) {
                    ends[at++] = v;
                    ends[at++] = neighbours[p];
                }
            }
        }
        return ends;
    }
}
