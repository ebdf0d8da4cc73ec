package dev.lightpath.planner.polarfly;

import dev.lightpath.planner.graph.Graph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A PolarFly grown by copies of a cluster (the paper's section VI). The old vertices and edges stay as they are, so no
 * existing circuit moves; new vertices are numbered after the old ones.
 *
 * @param graph the grown graph
 * @param newEdges the edges that were not there before
 */
public record Expansion(Graph graph, List<int[]> newEdges) {

    /** Which cluster is copied. */
    public enum Method {
        /** The quadric cluster; diameter stays 2, degrees grow unevenly. */
        QUADRIC("quadric"),
        /** Non-quadric clusters in turn; twice the growth per port, even degrees, diameter 3. Odd orders only. */
        NON_QUADRIC("non-quadric");

        private final String label;

        Method(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }

        /** @throws IllegalArgumentException if no method has that label */
        public static Method of(String label) {
            for (Method method : values()) {
                if (method.label.equals(label)) {
                    return method;
                }
            }
            throw new IllegalArgumentException("method is quadric or non-quadric, not \"" + label + "\"");
        }
    }

    private static final long MOST_NEW_EDGES = 5_000_000;

    public Expansion {
        newEdges = List.copyOf(newEdges);
    }

    /**
     * Grows a PolarFly by so many copies.
     *
     * @throws IllegalArgumentException if copies is out of range, or the order even for non-quadric clusters
     */
    public static Expansion of(PolarFly polarFly, Method method, int copies) {
        if (copies < 0) {
            throw new IllegalArgumentException("copies is " + copies + ": 0 or more");
        }
        long racks = polarFly.order() + 1L;
        if (method == Method.QUADRIC && racks * copies * (racks + copies / 2) > MOST_NEW_EDGES) {
            throw new IllegalArgumentException("copies is " + copies + ": so many racks of order " + polarFly.order()
                    + " have more than " + MOST_NEW_EDGES + " links");
        }
        return switch (method) {
            case QUADRIC -> quadric(polarFly, copies);
            case NON_QUADRIC -> nonQuadric(polarFly, copies);
        };
    }

    private static Expansion quadric(PolarFly polarFly, int copies) {
        int n = polarFly.vertices();
        List<Integer> quadrics = polarFly.quadrics();
        List<int[]> added = new ArrayList<>();
        for (int copy = 0; copy < copies; copy++) {
            for (int i = 0; i < quadrics.size(); i++) {
                int original = quadrics.get(i);
                int replica = n + copy * quadrics.size() + i;
                for (int j = 0; j < polarFly.graph().degree(original); j++) {
                    added.add(new int[] {polarFly.graph().neighbour(original, j), replica});
                }
                added.add(new int[] {original, replica});
                for (int before = 0; before < copy; before++) {
                    added.add(new int[] {n + before * quadrics.size() + i, replica});
                }
            }
        }
        return grown(polarFly.graph(), n + copies * quadrics.size(), added);
    }

    private static Expansion nonQuadric(PolarFly polarFly, int copies) {
        int q = polarFly.order();
        if (q % 2 == 0) {
            throw new IllegalArgumentException(
                    "order " + q + " is even: non-quadric clusters can be copied for odd orders");
        }
        if (copies > q) {
            throw new IllegalArgumentException("copies is " + copies + ": at most " + q + " non-quadric clusters");
        }
        ClusterLayout layout = ClusterLayout.of(polarFly);
        int n = polarFly.vertices();
        List<Set<Integer>> neighbours = new ArrayList<>();
        for (int v = 0; v < n; v++) {
            Set<Integer> of = new HashSet<>();
            for (int i = 0; i < polarFly.graph().degree(v); i++) {
                of.add(polarFly.graph().neighbour(v, i));
            }
            neighbours.add(of);
        }
        List<List<Integer>> racks = new ArrayList<>(layout.clusters());
        List<int[]> added = new ArrayList<>();
        for (int copy = 1; copy <= copies; copy++) {
            List<Integer> rack = racks.get(copy);
            List<Integer> replicaRack = new ArrayList<>();
            Map<Integer, Integer> replica = new HashMap<>();
            for (int v : rack) {
                replica.put(v, neighbours.size());
                replicaRack.add(neighbours.size());
                neighbours.add(new HashSet<>());
            }
            List<int[]> fresh = new ArrayList<>();
            for (int v : rack) {
                for (int w : neighbours.get(v)) {
                    Integer twin = replica.get(w);
                    if (twin == null) {
                        fresh.add(new int[] {w, replica.getOrDefault(v, -1)});
                    } else if (w > v) {
                        fresh.add(new int[] {replica.getOrDefault(v, -1), twin});
                    }
                }
            }
            for (int other = 1; other < racks.size(); other++) {
                if (other != copy) {
                    int lonely = withoutLink(rack, racks.get(other), neighbours);
                    fresh.add(new int[] {racks.get(other).getFirst(), replica.getOrDefault(lonely, -1)});
                }
            }
            for (int[] edge : fresh) {
                neighbours.get(edge[0]).add(edge[1]);
                neighbours.get(edge[1]).add(edge[0]);
                added.add(edge);
            }
            racks.add(replicaRack);
        }
        return grown(polarFly.graph(), neighbours.size(), added);
    }

    /** The vertex of a rack, other than its centre, that has no link to another rack. */
    private static int withoutLink(List<Integer> rack, List<Integer> other, List<Set<Integer>> neighbours) {
        for (int v : rack.subList(1, rack.size())) {
            if (other.stream().noneMatch(neighbours.get(v)::contains)) {
                return v;
            }
        }
        throw new IllegalStateException("every vertex of rack " + rack + " has a link to " + other);
    }

    private static Expansion grown(Graph old, int vertices, List<int[]> added) {
        int[] ends = Arrays.copyOf(old.ends(), 2 * (old.edges() + added.size()));
        int at = 2 * old.edges();
        for (int[] edge : added) {
            ends[at++] = edge[0];
            ends[at++] = edge[1];
        }
        return new Expansion(Graph.of(vertices, ends), added);
    }
}
