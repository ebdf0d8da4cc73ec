package dev.lightpath.planner.polarfly;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * ER_q on any-to-any switches, in closed form. GF(q^3) modulo GF(q) is cyclic of order N = q^2 + q + 1; the trace form
 * makes i and j adjacent iff i + j lies in the difference set D of q + 1 residues. Plane d joins i with d - i: an
 * involution with one fixed point, which is a quadric. So q + 1 planes carry all edges, and no fewer can.
 */
public final class SingerPlanes {
    private final int q;
    private final int n;
    private final FiniteField field;
    /** Cubic w^3 = c0 + c1 w + c2 w^2 whose root generates the cyclic group. */
    private final int[] cubic;

    private final int[][] power;

    private SingerPlanes(FiniteField field) {
        this.field = field;
        q = field.order();
        n = q * q + q + 1;
        power = new int[n][];
        cubic = generator();
    }

    /**
     * The difference set of the order: residues k for which the k-th power of a generator lies in the span of 1 and
     * itself, for the first cubic, ordered by its constant, then linear, then quadratic coefficient, whose root
     * generates all N points.
     */
    public static List<Integer> differenceSet(int order) {
        SingerPlanes singer = new SingerPlanes(FiniteField.of(order));
        List<Integer> set = new ArrayList<>();
        for (int k = 0; k < singer.n; k++) {
            if (singer.power[k][2] == 0) {
                set.add(k);
            }
        }
        return set;
    }

    /**
     * The planes of a PolarFly: per plane, circuits as pairs of vertices as {@link PolarFly} numbers them, lower first.
     * O(edges + q^3).
     */
    public static List<List<int[]>> of(PolarFly polarFly) {
        SingerPlanes singer = new SingerPlanes(polarFly.field());
        int[] vertexOf = singer.label(polarFly);
        List<Integer> set = new ArrayList<>();
        for (int k = 0; k < singer.n; k++) {
            if (singer.trace(singer.power[k]) == 0) {
                set.add(k);
            }
        }
        List<List<int[]>> planes = new ArrayList<>();
        for (int d : set) {
            List<int[]> plane = new ArrayList<>();
            for (int i = 0; i < singer.n; i++) {
                int j = Math.floorMod(d - i, singer.n);
                if (i < j) {
                    int a = vertexOf[i];
                    int b = vertexOf[j];
                    plane.add(new int[] {Math.min(a, b), Math.max(a, b)});
                }
            }
            plane.sort(Arrays::compare);
            planes.add(plane);
        }
        return planes;
    }

    private int[] generator() {
        for (int number = 0; number < q * q * q; number++) {
            int[] c = {number / (q * q), number / q % q, number % q};
            if (c[0] != 0 && generates(c)) {
                return c;
            }
        }
        throw new IllegalStateException("no cubic over GF(" + q + ") generates the plane");
    }

    /** Fills the powers of the root; true if none of 1..N-1 lies in GF(q) and the N-th does. */
    private boolean generates(int[] c) {
        int[] x = {1, 0, 0};
        for (int k = 0; k < n; k++) {
            if (k > 0 && x[1] == 0 && x[2] == 0) {
                return false;
            }
            power[k] = x;
            x = times(x, c);
        }
        return x[1] == 0 && x[2] == 0;
    }

    private int[] times(int[] x, int[] c) {
        return new int[] {
            field.multiply(x[2], c[0]),
            field.add(x[0], field.multiply(x[2], c[1])),
            field.add(x[1], field.multiply(x[2], c[2]))
        };
    }

    /** Trace to GF(q): of 1 it is 3, of the root c2, of its square c2^2 + 2 c1. */
    private int trace(int[] x) {
        int one = field.add(field.add(1, 1), 1);
        int square = field.add(field.multiply(cubic[2], cubic[2]), field.add(cubic[1], cubic[1]));
        return field.add(
                field.add(field.multiply(x[0], one), field.multiply(x[1], cubic[2])), field.multiply(x[2], square));
    }

    private int form(int[] x, int[] y) {
        int[] product = {0, 0, 0};
        int[] shifted = x;
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                product[j] = field.add(product[j], field.multiply(y[i], shifted[j]));
            }
            shifted = times(shifted, cubic);
        }
        return trace(product);
    }

    /** The PolarFly vertex of each residue, by a basis in which the trace form is a multiple of the dot product. */
    private int[] label(PolarFly polarFly) {
        int[][] basis = basis();
        int[] scale = new int[3];
        for (int i = 0; i < 3; i++) {
            scale[i] = field.invert(form(basis[i], basis[i]));
        }
        int[] vertexOf = new int[n];
        for (int k = 0; k < n; k++) {
            vertexOf[k] = polarFly.vertex(
                    field.multiply(scale[0], form(power[k], basis[0])),
                    field.multiply(scale[1], form(power[k], basis[1])),
                    field.multiply(scale[2], form(power[k], basis[2])));
        }
        return vertexOf;
    }

    /** Three vectors, orthogonal under the trace form, all of the same non-zero norm. */
    private int[][] basis() {
        for (int k = 0; k < n; k++) {
            int[] first = power[k];
            int norm = form(first, first);
            if (norm == 0) {
                continue;
            }
            for (int l = 0; l < n; l++) {
                if (form(first, power[l]) != 0) {
                    continue;
                }
                int[] second = ofNorm(power[l], norm);
                if (second.length == 0) {
                    continue;
                }
                for (int m = 0; m < n; m++) {
                    if (form(first, power[m]) == 0 && form(second, power[m]) == 0) {
                        int[] third = ofNorm(power[m], norm);
                        if (third.length > 0) {
                            return new int[][] {first, second, third};
                        }
                    }
                }
            }
        }
        throw new IllegalStateException("the trace form of GF(" + q + "^3) has no orthogonal basis of equal norms");
    }

    private int[] ofNorm(int[] x, int norm) {
        int own = form(x, x);
        for (int s = 1; s < q; s++) {
            if (field.multiply(field.multiply(s, s), own) == norm) {
                return new int[] {field.multiply(s, x[0]), field.multiply(s, x[1]), field.multiply(s, x[2])};
            }
        }
        return new int[0];
    }
}
