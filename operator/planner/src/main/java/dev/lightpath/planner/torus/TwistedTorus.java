package dev.lightpath.planner.torus;

/**
 * The definition of a twisted torus. The plus-link of c along axis a leads to c_a + 1. Where that wraps to 0, every
 * other coordinate b becomes (c_b + shift(a, b)) mod D_b, with no further carry. Minus-links are the inverse. A size of
 * 2 gives two parallel links, a size of 1 with a twist a chord, a size of 1 without one no link. This reading
 * reproduces the paper's Table III exactly and is the only one that fits the cyclic patterns of its Table II.
 */
public final class TwistedTorus {
    private TwistedTorus() {}

    /** Where the plus-link of each vertex leads: {@code plus[axis][vertex]}, three permutations. */
    public static int[][] plus(Shape shape, Twist twist) {
        int n = shape.volume();
        int[][] plus = new int[3][n];
        int[] c = new int[3];
        for (int v = 0; v < n; v++) {
            for (int a = 0; a < 3; a++) {
                for (int b = 0; b < 3; b++) {
                    c[b] = shape.coordinate(v, b);
                }
                boolean wraps = ++c[a] == shape.size(a);
                if (wraps) {
                    c[a] = 0;
                    for (int b = 0; b < 3; b++) {
                        if (b != a) {
                            c[b] = Math.floorMod(c[b] + twist.shift(a, b), shape.size(b));
                        }
                    }
                }
                plus[a][v] = shape.index(c[0], c[1], c[2]);
            }
        }
        return plus;
    }

    /** The figures of one twist. */
    public static TorusMetrics metrics(Shape shape, Twist twist) {
        return TorusTraffic.measure(plus(shape, twist));
    }
}
