package dev.lightpath.planner.torus;

import dev.lightpath.planner.graph.Bisection;
import dev.lightpath.planner.graph.Graph;

/**
 * Links between two equal halves of a twisted torus: plane cuts along each axis at each offset, refined. An upper
 * bound.
 */
public final class TorusBisection {
    private TorusBisection() {}

    /** The fewest links found; parallel links count each. O(sizes * links) and a few refinement passes per axis. */
    public static int width(Shape shape, Twist twist) {
        Graph graph = graph(TwistedTorus.plus(shape, twist));
        int best = Integer.MAX_VALUE;
        for (int axis = 0; axis < 3; axis++) {
            int size = shape.size(axis);
            if (size % 2 != 0) {
                continue;
            }
            boolean[] bestSide = new boolean[shape.volume()];
            int least = Integer.MAX_VALUE;
            for (int offset = 0; offset < size / 2; offset++) {
                boolean[] side = new boolean[shape.volume()];
                for (int v = 0; v < side.length; v++) {
                    side[v] = Math.floorMod(shape.coordinate(v, axis) - offset, size) < size / 2;
                }
                int width = Bisection.cut(graph, side);
                if (width < least) {
                    least = width;
                    bestSide = side;
                }
            }
            best = Math.min(best, Bisection.refine(graph, bestSide));
        }
        return best < Integer.MAX_VALUE ? best : Bisection.width(graph, 8, 1);
    }

    /** The undirected graph of three permutations, one edge per cable; a vertex joined to itself has none. */
    public static Graph graph(int[][] plus) {
        int n = plus[0].length;
        int[] ends = new int[6 * n];
        int at = 0;
        for (int[] axis : plus) {
            for (int v = 0; v < n; v++) {
                if (axis[v] != v) {
                    ends[at++] = v;
                    ends[at++] = axis[v];
                }
            }
        }
        return Graph.of(n, java.util.Arrays.copyOf(ends, at));
    }
}
