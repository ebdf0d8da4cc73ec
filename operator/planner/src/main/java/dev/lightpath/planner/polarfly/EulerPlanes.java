package dev.lightpath.planner.polarfly;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Puts any graph on two-sided switches that face every vertex with one port on each side. It needs as few as possible:
 * half the greatest degree, rounded up. Every edge gets a direction along Euler tours, so that no vertex begins or ends
 * more than that many. The bipartite graph of beginnings and ends is then coloured edge by edge along alternating paths
 * (Koenig 1916).
 */
public final class EulerPlanes {
    private final int vertices;
    private final int planes;
    /** Edge of a vertex on a plane at {@code vertex * planes + plane}, -1 without one: by side, ingress first. */
    private final int[][] edgeOf = new int[2][];

    private final int[][] ends;
    private final int[] planeOf;

    private EulerPlanes(int vertices, int[][] directed, int planes) {
        this.vertices = vertices;
        this.planes = planes;
        this.ends = directed;
        this.planeOf = new int[directed.length];
        for (int side = 0; side < 2; side++) {
            edgeOf[side] = new int[vertices * planes];
            Arrays.fill(edgeOf[side], -1);
        }
    }

    /**
     * O(edges * vertices) at worst; alternating paths are short on graphs of even degrees.
     *
     * @param edges pairs of vertices below {@code vertices}; several between two vertices are allowed, loops are not
     * @return circuits of each plane; the first of a pair is the ingress side
     * @throws IllegalArgumentException if an edge leaves the graph or is a loop, naming it
     */
    public static List<List<int[]>> of(int vertices, List<int[]> edges) {
        int[] degree = new int[vertices];
        for (int[] edge : edges) {
            if (edge[0] == edge[1] || Math.min(edge[0], edge[1]) < 0 || Math.max(edge[0], edge[1]) >= vertices) {
                throw new IllegalArgumentException("edge " + edge[0] + "-" + edge[1]
                        + ": two different vertices from 0 to " + (vertices - 1) + " are allowed");
            }
            degree[edge[0]]++;
            degree[edge[1]]++;
        }
        int planes = (Arrays.stream(degree).max().orElse(0) + 1) / 2;
        EulerPlanes colouring = new EulerPlanes(vertices, directed(vertices, edges, degree), planes);
        for (int edge = 0; edge < edges.size(); edge++) {
            colouring.insert(edge);
        }
        return colouring.planes();
    }

    /** A tour through all edges of each part; a vertex beside the graph evens out odd degrees. */
    private static int[][] directed(int vertices, List<int[]> edges, int[] degree) {
        List<int[]> all = new ArrayList<>(edges);
        for (int v = 0; v < vertices; v++) {
            if (degree[v] % 2 == 1) {
                all.add(new int[] {v, vertices});
            }
        }
        int[] begin = new int[vertices + 2];
        all.forEach(edge -> {
            begin[edge[0] + 1]++;
            begin[edge[1] + 1]++;
        });
        for (int v = 0; v <= vertices; v++) {
            begin[v + 1] += begin[v];
        }
        int[] next = Arrays.copyOf(begin, vertices + 1);
        int[] incident = new int[2 * all.size()];
        for (int edge = 0; edge < all.size(); edge++) {
            incident[next[all.get(edge)[0]]++] = edge;
            incident[next[all.get(edge)[1]]++] = edge;
        }
        System.arraycopy(begin, 0, next, 0, vertices + 1);
        int[][] directed = new int[edges.size()][];
        boolean[] walked = new boolean[all.size()];
        Deque<Integer> stack = new ArrayDeque<>();
        for (int start = 0; start <= vertices; start++) {
            stack.push(start);
            while (!stack.isEmpty()) {
                int v = stack.peek();
                while (next[v] < begin[v + 1] && walked[incident[next[v]]]) {
                    next[v]++;
                }
                if (next[v] == begin[v + 1]) {
                    stack.pop();
                    continue;
                }
                int edge = incident[next[v]];
                walked[edge] = true;
                int w = all.get(edge)[0] == v ? all.get(edge)[1] : all.get(edge)[0];
                if (edge < directed.length) {
                    directed[edge] = new int[] {v, w};
                }
                stack.push(w);
            }
        }
        return directed;
    }

    private void insert(int edge) {
        int from = ends[edge][0];
        int to = ends[edge][1];
        int plane = free(0, from);
        int other = free(1, to);
        if (edgeOf[1][to * planes + plane] >= 0) {
            flip(to, plane, other);
        }
        put(edge, plane);
    }

    /**
     * Exchanges two planes along the alternating path that enters a vertex on the first: it never reaches the other
     * end.
     */
    private void flip(int to, int plane, int other) {
        List<Integer> path = new ArrayList<>();
        int side = 1;
        int v = to;
        int along = plane;
        for (int edge = edgeOf[side][v * planes + along]; edge >= 0; edge = edgeOf[side][v * planes + along]) {
            path.add(edge);
            side = 1 - side;
            v = ends[edge][side];
            along = along == plane ? other : plane;
        }
        path.forEach(edge -> {
            edgeOf[0][ends[edge][0] * planes + planeOf[edge]] = -1;
            edgeOf[1][ends[edge][1] * planes + planeOf[edge]] = -1;
        });
        path.forEach(edge -> put(edge, planeOf[edge] == plane ? other : plane));
    }

    private void put(int edge, int plane) {
        planeOf[edge] = plane;
        edgeOf[0][ends[edge][0] * planes + plane] = edge;
        edgeOf[1][ends[edge][1] * planes + plane] = edge;
    }

    private int free(int side, int vertex) {
        for (int plane = 0; plane < planes; plane++) {
            if (edgeOf[side][vertex * planes + plane] < 0) {
                return plane;
            }
        }
        throw new IllegalStateException(
                "vertex " + vertex + " of " + vertices + " has an edge on all " + planes + " planes");
    }

    private List<List<int[]>> planes() {
        List<List<int[]>> circuits = new ArrayList<>();
        for (int plane = 0; plane < planes; plane++) {
            circuits.add(new ArrayList<>());
        }
        for (int edge = 0; edge < ends.length; edge++) {
            circuits.get(planeOf[edge]).add(ends[edge]);
        }
        circuits.forEach(plane -> plane.sort(Arrays::compare));
        return circuits;
    }
}
