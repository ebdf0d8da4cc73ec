package dev.lightpath.studies.topology;

import dev.lightpath.planner.torus.CubeArrangement;
import dev.lightpath.planner.torus.Shape;
import dev.lightpath.planner.torus.TorusChoice;
import dev.lightpath.planner.torus.TorusMetrics;
import dev.lightpath.planner.torus.TorusObjective;
import dev.lightpath.planner.torus.TorusPattern;
import dev.lightpath.planner.torus.Twist;
import dev.lightpath.planner.torus.TwistedTorus;
import dev.lightpath.studies.Chart;
import dev.lightpath.studies.Study;
import dev.lightpath.studies.StudyTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Twists measured: the paper's Tables II and III and figure 10, the larger shapes, and sublattices beyond boxes. */
final class TorusStudy implements Study {
    private static final List<String> COLUMNS = List.of(
            "table",
            "shape",
            "shifts",
            "average distance",
            "max link load",
            "gain",
            "rank by distance",
            "rank by load",
            "paper");

    /** Dimension and pattern bits of Table II. */
    private static final List<String[]> TABLE_II = List.of(
            new String[] {"1x2x2", "110000"},
            new String[] {"2x2x2", "100110"},
            new String[] {"2x2x4", "100101"},
            new String[] {"2x4x4", "111010"},
            new String[] {"4x4x4", "101110"},
            new String[] {"4x4x8", "010111"},
            new String[] {"4x4x12", "010101"});

    @Override
    public String name() {
        return "torus";
    }

    @Override
    public String question() {
        return "Which twist suits which shape? (twisted tori, Tables II and III, Fig. 10; larger shapes)";
    }

    @Override
    public StudyTable run(Options options, Consumer<String> progress) {
        List<List<Object>> rows = new ArrayList<>();
        tableIII(rows);
        progress.accept("Table II: 64 patterns of each shape");
        tableII(rows);
        List<Chart.Point> points = new ArrayList<>();
        patterns(rows, points);
        progress.accept("64 patterns of 16x16x16");
        TorusPattern nearest = TorusChoice.halfPatterns(new Shape(16, 16, 16), TorusObjective.AVERAGE_DISTANCE)
                .getFirst();
        rows.add(row("best distance", "16x16x16", nearest.shifts(), nearest.metrics(), nearest.gain(), 1, "", ""));
        for (String shape : List.of("4x8x8", "4x4x12", "4x4x16", "4x8x16", "8x8x16", "8x16x16")) {
            progress.accept("realisable twists of " + shape);
            Shape chips = Shape.parse(shape);
            TorusPattern best =
                    TorusChoice.realisable(chips, TorusObjective.MAX_LINK_LOAD).getFirst();
            rows.add(row("best realisable", shape, best.shifts(), best.metrics(), best.gain(), "", "", ""));
        }
        for (int cubes : new int[] {1, 2, 3, 4, 8, 64}) {
            progress.accept("sublattices of " + cubes + " cubes");
            TorusMetrics best = CubeArrangement.sublattices(cubes).parallelStream()
                    .map(form -> CubeArrangement.sublattice(form).metrics())
                    .max(Comparator.comparingDouble(TorusMetrics::throughputPerVertex))
                    .orElseThrow();
            rows.add(List.of(
                    "best sublattice",
                    cubes + " cubes",
                    "",
                    best.averageDistance(),
                    best.maxLinkLoad(),
                    best.throughputPerVertex(),
                    "",
                    "",
                    ""));
        }
        return new StudyTable(
                "Twisted tori: all-to-all traffic under ECMP",
                COLUMNS,
                rows,
                List.of(
                        "gain: throughput relative to the regular torus of the shape; best sublattice: chips per load,"
                                + " 1 for the regular 8x8x8 torus",
                        "shifts in chips: x|y,x|z,y|x,y|z,z|x,z|y; average distance divides by N^2, self pairs"
                                + " included",
                        "Table II is measured by the paper in simulated delay; rank 1 by distance is what it should"
                                + " find, ties allowed",
                        "best distance: large cyclic twists are traps under ECMP",
                        "the pattern best by distance is not best by load; switches can make only shifts of whole"
                                + " cubes"),
                Optional.of(new Chart(
                        "64 twists of 4x4x8",
                        "average distance (hops)",
                        "gain over the regular torus",
                        List.of(new Chart.Series("pattern", points)))));
    }

    private static void tableIII(List<List<Object>> rows) {
        Shape shape = new Shape(8, 4, 4);
        double regular = TwistedTorus.metrics(shape, Twist.NONE).maxLinkLoad();
        double[] paper = {3.625, 3.9375, 3.875};
        int[] patterns = {0b001000, 0b100000, 0b000100};
        for (int i = 0; i < patterns.length; i++) {
            Twist twist = Twist.half(shape, patterns[i]);
            TorusMetrics metrics = TwistedTorus.metrics(shape, twist);
            rows.add(row("III", "8x4x4", twist, metrics, regular / metrics.maxLinkLoad(), "", "", paper[i]));
        }
    }

    private static void tableII(List<List<Object>> rows) {
        for (String[] entry : TABLE_II) {
            Shape shape = Shape.parse(entry[0]);
            Twist twist = Twist.half(shape, Integer.parseInt(entry[1], 2));
            List<TorusPattern> ranked = TorusChoice.halfPatterns(shape, TorusObjective.AVERAGE_DISTANCE);
            TorusPattern own = ranked.stream()
                    .filter(p -> p.shifts().equals(twist))
                    .findFirst()
                    .orElseThrow();
            long nearer = ranked.stream()
                    .filter(p -> p.metrics().averageDistance() < own.metrics().averageDistance() - 1e-9)
                    .count();
            long lighter = ranked.stream()
                    .filter(p -> p.metrics().maxLinkLoad() < own.metrics().maxLinkLoad() - 1e-9)
                    .count();
            rows.add(row("II", entry[0], twist, own.metrics(), own.gain(), nearer + 1, lighter + 1, "optimal"));
        }
    }

    private static void patterns(List<List<Object>> rows, List<Chart.Point> points) {
        int rank = 0;
        for (TorusPattern p : TorusChoice.halfPatterns(new Shape(4, 4, 8), TorusObjective.MAX_LINK_LOAD)) {
            rank++;
            rows.add(row("64 patterns", "4x4x8", p.shifts(), p.metrics(), p.gain(), "", rank, ""));
            points.add(new Chart.Point(p.metrics().averageDistance(), p.gain()));
        }
        points.sort(Comparator.comparingDouble(Chart.Point::x).thenComparingDouble(Chart.Point::y));
    }

    private static List<Object> row(
            String table,
            String shape,
            Twist twist,
            TorusMetrics m,
            double gain,
            Object near,
            Object light,
            Object paper) {
        String shifts = Arrays.toString(twist.toArray()).replaceAll("[\\[\\] ]", "");
        return List.of(table, shape, shifts, m.averageDistance(), m.maxLinkLoad(), gain, near, light, paper);
    }
}
