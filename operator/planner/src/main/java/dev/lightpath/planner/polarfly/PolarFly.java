package dev.lightpath.planner.polarfly;

import dev.lightpath.planner.graph.Graph;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * ER_q, the polarity graph of the projective plane over GF(q). Vertices are left-normalised vectors: [0,0,1] is 0,
 * [0,1,z] is 1 + z, [1,y,z] is 1 + q + y*q + z. Two are joined iff their dot product is 0; a vertex orthogonal to
 * itself is a quadric and its loop is dropped. q^2 + q + 1 vertices, q(q+1)^2/2 edges, degrees q (quadrics) and q + 1,
 * diameter 2. Building is O(edges).
 */
public final class PolarFly {
    private final FiniteField field;
    private final int q;
    private final Graph graph;
    private final int[] quadrics;

    /** @throws IllegalArgumentException if the order is no prime power from 2 to 256 */
    public PolarFly(int order) {
        field = FiniteField.of(order);
        q = order;
        int n = q * q + q + 1;
        int[] ends = new int[q * (q + 1) * (q + 1)];
        int at = 0;
        int[] quadrics = new int[q + 1];
        int found = 0;
        int[] neighbours = new int[q + 1];
        for (int v = 0; v < n; v++) {
            orthogonal(v, neighbours);
            for (int w : neighbours) {
                if (w == v) {
                    quadrics[found++] = v;
                } else if (w > v) {
                    ends[at++] = v;
                    ends[at++] = w;
                }
            }
        }
        this.quadrics = quadrics;
        graph = Graph.of(n, ends);
    }

    private void orthogonal(int v, int[] result) {
        int a = coordinate(v, 0);
        int b = coordinate(v, 1);
        int c = coordinate(v, 2);
        int count = 0;
        if (c == 0) {
            result[count++] = 0;
        }
        if (c != 0) {
            int factor = field.negate(field.invert(c));
            result[count++] = 1 + field.multiply(b, factor);
            for (int y = 0; y < q; y++) {
                result[count++] = 1 + q + y * q + field.multiply(field.add(a, field.multiply(b, y)), factor);
            }
        } else if (b != 0) {
            int y = field.negate(field.multiply(a, field.invert(b)));
            for (int z = 0; z < q; z++) {
                result[count++] = 1 + q + y * q + z;
            }
        } else {
            for (int z = 0; z < q; z++) {
                result[count++] = 1 + z;
            }
        }
    }

    public int order() {
        return q;
    }

    public FiniteField field() {
        return field;
    }

    public Graph graph() {
        return graph;
    }

    public int vertices() {
        return graph.vertices();
    }

    /** The q + 1 self-orthogonal vertices, ascending. */
    public List<Integer> quadrics() {
        return IntStream.of(quadrics).boxed().toList();
    }

    public boolean isQuadric(int v) {
        return graph.degree(v) == q;
    }

    /** Coordinate 0, 1 or 2 of a vertex. */
    public int coordinate(int v, int axis) {
        if (v == 0) {
            return axis == 2 ? 1 : 0;
        }
        if (v <= q) {
            return axis == 0 ? 0 : axis == 1 ? 1 : v - 1;
        }
        int rest = v - 1 - q;
        return axis == 0 ? 1 : axis == 1 ? rest / q : rest % q;
    }

    /** The vertex of a non-zero vector, left-normalised. */
    public int vertex(int x, int y, int z) {
        if (x != 0) {
            int factor = field.invert(x);
            return 1 + q + field.multiply(y, factor) * q + field.multiply(z, factor);
        }
        if (y != 0) {
            return 1 + field.multiply(z, field.invert(y));
        }
        if (z == 0) {
            throw new IllegalArgumentException("the zero vector is no vertex");
        }
        return 0;
    }

    /** Whether two vertices are orthogonal; true for a quadric and itself. */
    public boolean orthogonal(int s, int d) {
        int dot = field.add(
                field.add(
                        field.multiply(coordinate(s, 0), coordinate(d, 0)),
                        field.multiply(coordinate(s, 1), coordinate(d, 1))),
                field.multiply(coordinate(s, 2), coordinate(d, 2)));
        return dot == 0;
    }

    /**
     * The one vertex orthogonal to two different ones: s x d, left-normalised (the paper's equation 2 with its indices
     * put right).
     */
    public int between(int s, int d) {
        int s0 = coordinate(s, 0);
        int s1 = coordinate(s, 1);
        int s2 = coordinate(s, 2);
        int d0 = coordinate(d, 0);
        int d1 = coordinate(d, 1);
        int d2 = coordinate(d, 2);
        return vertex(
                field.subtract(field.multiply(s1, d2), field.multiply(s2, d1)),
                field.subtract(field.multiply(s2, d0), field.multiply(s0, d2)),
                field.subtract(field.multiply(s0, d1), field.multiply(s1, d0)));
    }

    /** Triangles: every edge of two non-quadrics is in one. O(edges). */
    public long triangles() {
        long corners = 0;
        for (int v = 0; v < vertices(); v++) {
            for (int i = 0; i < graph.degree(v); i++) {
                int w = graph.neighbour(v, i);
                if (w > v) {
                    int u = between(v, w);
                    if (u != v && u != w) {
                        corners++;
                    }
                }
            }
        }
        return corners / 3;
    }

    /** The share of the Moore bound 1 + k^2 of diameter 2 and degree k = q + 1 that the graph reaches. */
    public double mooreEfficiency() {
        return vertices() / (1.0 + (q + 1.0) * (q + 1.0));
    }

    /** Whether every vertex reaches every other in two hops, by enumerating the two-hop walks: O(vertices * q^2). */
    public boolean hasDiameterTwo() {
        return hasDiameterTwo(graph);
    }

    /** The same for any graph, O(vertices * degree^2). */
    public static boolean hasDiameterTwo(Graph graph) {
        int n = graph.vertices();
        return IntStream.range(0, 64).parallel().allMatch(part -> {
            int[] seen = new int[n];
            for (int v = part; v < n; v += 64) {
                int mark = v + 1;
                int count = 1;
                seen[v] = mark;
                for (int p = graph.port(v); p < graph.port(v) + graph.degree(v); p++) {
                    int w = graph.target(p);
                    if (seen[w] != mark) {
                        seen[w] = mark;
                        count++;
                    }
                    for (int r = graph.port(w); r < graph.port(w) + graph.degree(w); r++) {
                        int x = graph.target(r);
                        if (seen[x] != mark) {
                            seen[x] = mark;
                            count++;
                        }
                    }
                }
                if (count != n) {
                    return false;
                }
            }
            return true;
        });
    }

    /** Radixes up to a limit that a PolarFly fills exactly: q + 1 for every prime power q. */
    public static List<Integer> feasibleRadixes(int most) {
        List<Integer> radixes = new ArrayList<>();
        for (int radix = 3; radix <= most; radix++) {
            int rest = radix - 1;
            int p = 2;
            while (rest % p != 0) {
                p++;
            }
            while (rest % p == 0) {
                rest /= p;
            }
            if (rest == 1) {
                radixes.add(radix);
            }
        }
        return radixes;
    }
}
