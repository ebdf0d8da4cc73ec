package dev.lightpath.planner.polarfly;

import dev.lightpath.planner.graph.Graph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Racks. For odd q the paper's Algorithm 1: cluster 0 holds the quadrics, and each neighbour of a starter quadric is
 * the centre of a cluster with its non-quadric neighbours. For even q the quadrics lie on one line: its pole, the
 * nucleus, is cluster 0 alone, and each quadric is the centre of a cluster with its other neighbours.
 *
 * @param clusters vertices of each cluster, centre first
 * @param clusterOf cluster of each vertex
 */
public record ClusterLayout(List<List<Integer>> clusters, List<Integer> clusterOf) {

    /** Links between two clusters. */
    public record Bundle(int first, int second, int links) {}

    public ClusterLayout {
        clusters = clusters.stream().map(List::copyOf).toList();
        clusterOf = List.copyOf(clusterOf);
    }

    /**
     * The layout grown from a starter quadric; the starter is ignored for even q.
     *
     * @throws IllegalArgumentException if the starter is no quadric
     */
    public static ClusterLayout of(PolarFly polarFly, int starter) {
        Graph graph = polarFly.graph();
        Integer[] clusterOf = new Integer[graph.vertices()];
        List<List<Integer>> clusters = new ArrayList<>();
        List<Integer> centres = new ArrayList<>();
        if (polarFly.order() % 2 == 0) {
            int nucleus = nucleus(polarFly);
            clusters.add(List.of(nucleus));
            clusterOf[nucleus] = 0;
            centres.addAll(polarFly.quadrics());
        } else {
            if (!polarFly.quadrics().contains(starter)) {
                throw new IllegalArgumentException(
                        "starter " + starter + " is no quadric: one of " + polarFly.quadrics());
            }
            clusters.add(polarFly.quadrics());
            polarFly.quadrics().forEach(v -> clusterOf[v] = 0);
            for (int i = 0; i < graph.degree(starter); i++) {
                centres.add(graph.neighbour(starter, i));
            }
        }
        for (int centre : centres) {
            List<Integer> cluster = new ArrayList<>();
            cluster.add(centre);
            clusterOf[centre] = clusters.size();
            for (int i = 0; i < graph.degree(centre); i++) {
                int v = graph.neighbour(centre, i);
                if (!polarFly.isQuadric(v) && clusterOf[v] == null) {
                    cluster.add(v);
                    clusterOf[v] = clusters.size();
                }
            }
            clusters.add(cluster);
        }
        return new ClusterLayout(clusters, Arrays.asList(clusterOf));
    }

    /** The layout grown from the lowest quadric. */
    public static ClusterLayout of(PolarFly polarFly) {
        return of(polarFly, polarFly.quadrics().getFirst());
    }

    private static int nucleus(PolarFly polarFly) {
        return polarFly.between(polarFly.quadrics().get(0), polarFly.quadrics().get(1));
    }

    /** Links between each two clusters, pairs without links left out. */
    public List<Bundle> bundles(Graph graph) {
        int[][] links = new int[clusters.size()][clusters.size()];
        int[] ends = graph.ends();
        for (int i = 0; i < ends.length; i += 2) {
            int a = clusterOf.get(ends[i]);
            int b = clusterOf.get(ends[i + 1]);
            links[Math.min(a, b)][Math.max(a, b)]++;
        }
        List<Bundle> bundles = new ArrayList<>();
        for (int a = 0; a < links.length; a++) {
            for (int b = a + 1; b < links.length; b++) {
                if (links[a][b] > 0) {
                    bundles.add(new Bundle(a, b, links[a][b]));
                }
            }
        }
        return bundles;
    }
}
