package dev.lightpath.planner.torus;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Ranks the twists of a shape. Twists that a relabelling of equal axes or a mirror turns into each other are measured
 * once. One measurement costs O(orbits * vertices), see {@link TorusTraffic}.
 */
public final class TorusChoice {
    /** Above so many vertex pairs in all, only Cayley graphs among realisable twists are measured: one search each. */
    private static final double MOST_PAIRS = 6e8;

    /** A shape of n cubes has n * n realisable twists; to measure one takes O(n). */
    static final int MOST_CUBES = 512;

    /** Of all twists that a pass looks at, some seconds. Above it are long and thin shapes only. */
    private static final long MOST_CHIPS = 100_000_000;

    private TorusChoice() {}

    /** All 64 patterns of half dimensions, best first, whether or not switches can make them. */
    public static List<TorusPattern> halfPatterns(Shape chips, TorusObjective objective) {
        return rank(chips, halves(chips), objective);
    }

    /**
     * Both families, best first, each twist once.
     *
     * @throws IllegalArgumentException if a size is no multiple of 4 chips, or the shape larger than 512 cubes
     */
    public static List<TorusPattern> all(Shape chips, TorusObjective objective) {
        List<Twist> twists = halves(chips);
        twists.addAll(realisableTwists(chips));
        return rank(chips, twists, objective);
    }

    private static List<Twist> halves(Shape chips) {
        List<Twist> twists = new ArrayList<>();
        for (int pattern = 0; pattern < 64; pattern++) {
            twists.add(Twist.half(chips, pattern));
        }
        return twists;
    }

    /**
     * The twists that switches can make, best first: every shift a whole number of cubes. For large shapes only those
     * are ranked whose graph looks the same from every vertex; the best of all smaller shapes are of that kind.
     *
     * @throws IllegalArgumentException if a size is no multiple of 4 chips, or the shape larger than 512 cubes
     */
    public static List<TorusPattern> realisable(Shape chips, TorusObjective objective) {
        return rank(chips, realisableTwists(chips), objective);
    }

    /**
     * The realisable twist with the least load on its worst link, searched among those whose graph looks the same from
     * every vertex: one breadth-first search each. Of every shape of up to 16 cubes it is the first of
     * {@link #realisable}.
     *
     * @throws IllegalArgumentException if a size is no multiple of 4 chips
     */
    public static TorusPattern best(Shape chips) {
        Shape cubes = CubeArrangement.cubesOf(chips);
        List<Twist> symmetric = symmetricTwists(cubes).stream()
                .map(twist -> twist.times(CubeArrangement.EDGE_CHIPS))
                .toList();
        return rank(chips, symmetric, TorusObjective.MAX_LINK_LOAD).getFirst();
    }

    /**
     * The same by sizes in cubes, with its shifts in cubes. Above 512 cubes none is sought, nor of a shape so long and
     * thin that it would take a pass too long, such as a row of more than 116 cubes: the regular torus.
     */
    public static Twist bestTwist(Shape cubes) {
        if (cubes.volume() > MOST_CUBES) {
            return Twist.NONE;
        }
        int edge = CubeArrangement.EDGE_CHIPS;
        Shape chips = new Shape(edge * cubes.x(), edge * cubes.y(), edge * cubes.z());
        if ((long) symmetricTwists(cubes).size() * chips.volume() > MOST_CHIPS) {
            return Twist.NONE;
        }
        return best(chips).shifts().inCubes();
    }

    private static List<Twist> cubeTwists(Shape cubes) {
        List<Twist> twists = new ArrayList<>();
        for (int xy = 0; xy < cubes.y(); xy++) {
            for (int xz = 0; xz < cubes.z(); xz++) {
                for (int yx = 0; yx < cubes.x(); yx++) {
                    for (int yz = 0; yz < cubes.z(); yz++) {
                        for (int zx = 0; zx < cubes.x(); zx++) {
                            for (int zy = 0; zy < cubes.y(); zy++) {
                                twists.add(new Twist(xy, xz, yx, yz, zx, zy));
                            }
                        }
                    }
                }
            }
        }
        return twists;
    }

    /**
     * Those of {@link #cubeTwists}, in its order, whose graph looks the same from every vertex: steps along any two
     * axes commute. For that no axis along which others are shifted may shift others. No other is looked at: O(squares
     * of sizes). Few are left of a compact shape; of a row of cubes all.
     */
    static List<Twist> symmetricTwists(Shape cubes) {
        List<Twist> twists = new ArrayList<>();
        for (int xy = 0; xy < cubes.y(); xy++) {
            for (int xz = 0; xz < cubes.z(); xz++) {
                int mostYx = xy + xz == 0 ? cubes.x() : 1;
                int mostYz = xy == 0 ? cubes.z() : 1;
                for (int yx = 0; yx < mostYx; yx++) {
                    for (int yz = 0; yz < mostYz; yz++) {
                        int mostZx = xy + xz + yz == 0 ? cubes.x() : 1;
                        int mostZy = xz + yx + yz == 0 ? cubes.y() : 1;
                        for (int zx = 0; zx < mostZx; zx++) {
                            for (int zy = 0; zy < mostZy; zy++) {
                                twists.add(new Twist(xy, xz, yx, yz, zx, zy));
                            }
                        }
                    }
                }
            }
        }
        return twists;
    }

    private static List<Twist> realisableTwists(Shape chips) {
        Shape cubes = CubeArrangement.cubesOf(chips);
        if (cubes.volume() > MOST_CUBES) {
            throw new IllegalArgumentException("shape " + chips + " has " + cubes.volume()
                    + " cubes of 4x4x4 chips: at most " + MOST_CUBES + " are searched");
        }
        List<Twist> twists = new ArrayList<>(cubeTwists(cubes).stream()
                .map(twist -> twist.times(CubeArrangement.EDGE_CHIPS))
                .toList());
        Map<String, Twist> classes = new TreeMap<>();
        twists.forEach(twist -> classes.putIfAbsent(canonical(chips, twist), twist));
        if ((double) classes.size() * chips.volume() * chips.volume() > MOST_PAIRS) {
            Map<String, Boolean> commuting = classes.entrySet().stream()
                    .collect(Collectors.toMap(
                            Map.Entry::getKey,
                            e -> commutes(TwistedTorus.plus(cubes, e.getValue().inCubes()))));
            twists.removeIf(twist -> !commuting.getOrDefault(canonical(chips, twist), false));
        }
        return twists;
    }

    private static List<TorusPattern> rank(Shape chips, List<Twist> twists, TorusObjective objective) {
        List<Twist> asked = twists.stream()
                .filter(t -> objective != TorusObjective.DATA_TENSOR || t.xz() + t.yz() + t.zx() + t.zy() == 0)
                .distinct()
                .toList();
        Map<String, Twist> classes = new TreeMap<>();
        asked.forEach(twist -> classes.putIfAbsent(canonical(chips, twist), twist));
        Map<String, TorusMetrics> measured = new HashMap<>();
        classes.forEach((name, twist) -> measured.put(name, TwistedTorus.metrics(chips, twist)));
        double regular = measured.computeIfAbsent(
                        canonical(chips, Twist.NONE), key -> TwistedTorus.metrics(chips, Twist.NONE))
                .maxLinkLoad();
        List<TorusPattern> patterns = new ArrayList<>();
        for (Twist twist : asked) {
            TorusMetrics metrics = measured.get(canonical(chips, twist));
            if (metrics == null) {
                throw new IllegalStateException("unmeasured twist " + twist);
            }
            double value = switch (objective) {
                case MAX_LINK_LOAD -> metrics.maxLinkLoad();
                case AVERAGE_DISTANCE -> metrics.averageDistance();
                case DATA_TENSOR -> dataTensorLoad(chips, twist);
            };
            patterns.add(new TorusPattern(twist, metrics, regular / metrics.maxLinkLoad(), value));
        }
        // figures of one class may differ in the last digits by the order of additions: rank by rounded values
        patterns.sort(Comparator.comparingDouble((TorusPattern p) -> rounded(p.objective()))
                .thenComparingDouble(p -> rounded(p.metrics().averageDistance()))
                .thenComparing(p -> p.shifts().toArray(), java.util.Arrays::compare));
        return List.copyOf(patterns);
    }

    /** The load of {@link TorusObjective#DATA_TENSOR} for a twist between x and y. */
    public static double dataTensorLoad(Shape chips, Twist twist) {
        Shape layer = new Shape(chips.x(), chips.y(), 1);
        Twist inLayer = new Twist(twist.xy(), 0, twist.yx(), 0, 0, 0);
        return TwistedTorus.metrics(layer, inLayer).maxLinkLoad() + (chips.z() > 1 ? 1 : 0);
    }

    private static double rounded(double value) {
        return Math.rint(value * 1e9) / 1e9;
    }

    static boolean commutes(int[][] plus) {
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < a; b++) {
                for (int v = 0; v < plus[a].length; v++) {
                    if (plus[a][plus[b][v]] != plus[b][plus[a][v]]) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /** The least name of a twist over axis permutations that keep the shape and over mirrors of axes. */
    private static String canonical(Shape shape, Twist twist) {
        int[][] permutations = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
        String best = null;
        for (int[] to : permutations) {
            boolean keeps = true;
            for (int a = 0; a < 3; a++) {
                keeps &= shape.size(a) == shape.size(to[a]);
            }
            for (int mirror = 0; keeps && mirror < 8; mirror++) {
                StringBuilder name = new StringBuilder();
                for (int a = 0; a < 3; a++) {
                    for (int b = 0; b < 3; b++) {
                        int sign = ((mirror >> to[a] ^ mirror >> to[b]) & 1) == 0 ? 1 : -1;
                        name.append(Math.floorMod(sign * twist.shift(to[a], to[b]), shape.size(b)))
                                .append(',');
                    }
                }
                if (best == null || name.compareTo(new StringBuilder(best)) < 0) {
                    best = name.toString();
                }
            }
        }
        if (best == null) {
            throw new IllegalStateException("the identity keeps every shape");
        }
        return best;
    }
}
