package dev.lightpath.planner.torus;

import java.util.ArrayList;
import java.util.List;

/**
 * How cubes of 4x4x4 chips are joined face to face: along each axis, which cube's minus face follows a cube's plus
 * face. Switches of one axis all hold the same permutation, so this is all there is to say about a slice.
 */
public final class CubeArrangement {
    /** Chips along an edge of a cube. */
    public static final int EDGE_CHIPS = 4;

    /** Optical switches of a cube fabric: one per axis and position on a face. */
    public static final int SWITCHES = 48;

    private final int[][] next;

    private CubeArrangement(int[][] next) {
        this.next = next;
    }

    /** A twisted torus of cubes; the shifts are in cubes. */
    public static CubeArrangement box(Shape cubes, Twist shifts) {
        return new CubeArrangement(TwistedTorus.plus(cubes, shifts));
    }

    /**
     * The torus of the integer lattice spanned by the rows (a, 0, 0), (b, c, 0), (d, e, f): its a*c*f cubes are the
     * classes of Z^3. Every sublattice has exactly one such Hermite normal form with 0 <= b < a, 0 <= d < a, 0 <= e <
     * c.
     */
    public static CubeArrangement sublattice(Hermite form) {
        int a = form.a();
        int c = form.c();
        int n = form.cubes();
        int[][] next = new int[3][n];
        for (int v = 0; v < n; v++) {
            int x = v % a;
            int y = v / a % c;
            int z = v / a / c;
            next[0][v] = form.index(x + 1, y, z);
            next[1][v] = form.index(x, y + 1, z);
            next[2][v] = form.index(x, y, z + 1);
        }
        return new CubeArrangement(next);
    }

    /** A Hermite normal form. */
    public record Hermite(int a, int b, int c, int d, int e, int f) {
        public int cubes() {
            return a * c * f;
        }

        private int index(int x, int y, int z) {
            int turns = Math.floorDiv(z, f);
            int rz = z - turns * f;
            int ry = y - turns * e;
            int rx = x - turns * d;
            int steps = Math.floorDiv(ry, c);
            ry -= steps * c;
            rx -= steps * b;
            return Math.floorMod(rx, a) + a * (ry + c * rz);
        }
    }

    /** All sublattices of so many cubes. */
    public static List<Hermite> sublattices(int cubes) {
        if (cubes < 1) {
            throw new IllegalArgumentException("cubes is " + cubes + ": at least 1");
        }
        List<Hermite> forms = new ArrayList<>();
        for (int a = 1; a <= cubes; a++) {
            for (int c = 1; cubes % a == 0 && c <= cubes / a; c++) {
                for (int b = 0; cubes / a % c == 0 && b < a; b++) {
                    for (int d = 0; d < a; d++) {
                        for (int e = 0; e < c; e++) {
                            forms.add(new Hermite(a, b, c, d, e, cubes / a / c));
                        }
                    }
                }
            }
        }
        return forms;
    }

    /**
     * The cubes of a shape of chips.
     *
     * @throws IllegalArgumentException if a size is no multiple of 4
     */
    public static Shape cubesOf(Shape chips) {
        for (int axis = 0; axis < 3; axis++) {
            if (chips.size(axis) % EDGE_CHIPS != 0) {
                throw new IllegalArgumentException("shape " + chips + ": " + "xyz".charAt(axis) + " is "
                        + chips.size(axis) + " chips, slices are made of whole cubes, so a multiple of " + EDGE_CHIPS);
            }
        }
        return new Shape(chips.x() / EDGE_CHIPS, chips.y() / EDGE_CHIPS, chips.z() / EDGE_CHIPS);
    }

    public int cubes() {
        return next[0].length;
    }

    /** The cube whose minus face along an axis follows a cube's plus face. */
    public int next(int axis, int cube) {
        return next[axis][cube];
    }

    /** The permutations of chips: chip (i, j, k) of cube c is {@code 64 * c + i + 4 * (j + 4 * k)}. */
    public int[][] chipPlus() {
        Shape cube = new Shape(EDGE_CHIPS, EDGE_CHIPS, EDGE_CHIPS);
        int volume = cube.volume();
        int[][] inside = TwistedTorus.plus(cube, Twist.NONE);
        int[][] plus = new int[3][cubes() * volume];
        for (int axis = 0; axis < 3; axis++) {
            for (int v = 0; v < plus[axis].length; v++) {
                boolean leaves = cube.coordinate(v % volume, axis) == EDGE_CHIPS - 1;
                int to = leaves ? next[axis][v / volume] : v / volume;
                plus[axis][v] = to * volume + inside[axis][v % volume];
            }
        }
        return plus;
    }

    /** Figures of the slice's chips. */
    public TorusMetrics metrics() {
        return TorusTraffic.measure(chipPlus());
    }
}
