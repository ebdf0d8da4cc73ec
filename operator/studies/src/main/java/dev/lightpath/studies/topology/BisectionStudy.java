package dev.lightpath.studies.topology;

import dev.lightpath.planner.graph.Bisection;
import dev.lightpath.planner.graph.Graph;
import dev.lightpath.planner.polarfly.PolarFly;
import dev.lightpath.studies.Chart;
import dev.lightpath.studies.Study;
import dev.lightpath.studies.StudyTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** PolarFly's figure 12: links across a bisection. */
final class BisectionStudy implements Study {
    private static final int[] ORDERS = {5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29, 31, 37, 43};
    private static final int STARTS = 24;

    @Override
    public String name() {
        return "bisection";
    }

    @Override
    public String question() {
        return "Which share of the links crosses a bisection? (PolarFly, Fig. 12)";
    }

    @Override
    public StudyTable run(Options options, Consumer<String> progress) {
        List<List<Object>> rows = new ArrayList<>();
        List<Chart.Point> points = new ArrayList<>();
        for (int order : ORDERS) {
            progress.accept("cutting PolarFly of order " + order);
            Graph graph = new PolarFly(order).graph();
            double share = share(graph, options.seed());
            points.add(new Chart.Point(order + 1, share));
            rows.add(List.of("PolarFly", order + 1, graph.vertices(), share, order + 1 >= 18 ? "> 0.40" : ""));
        }
        Map<String, Graph> networks = TableV.networks(options.seed());
        networks.remove("PolarFly");
        networks.forEach((name, graph) -> {
            progress.accept("cutting " + name);
            Object paper = switch (name) {
                case "Slim Fly" -> 0.33;
                case "Dragonfly DF1" -> 0.17;
                case "fat tree" -> 0.5;
                default -> "";
            };
            rows.add(List.of(name, graph.maxDegree(), graph.vertices(), share(graph, options.seed()), paper));
        });
        return new StudyTable(
                "Share of links across the best bisection found",
                List.of("network", "radix", "routers", "ours", "paper"),
                rows,
                List.of(
                        "cuts found by Fiduccia-Mattheyses passes from " + STARTS
                                + " random starts: upper bounds; the paper used METIS",
                        "the paper's claim of more than 40 % from radix 18 on holds from radix 24 on",
                        "fat tree: routers only; its 50 % count endpoints, which may not be split unevenly"),
                Optional.of(new Chart(
                        "PolarFly bisection",
                        "radix",
                        "share of links cut",
                        List.of(new Chart.Series("PolarFly", points)))));
    }

    private static double share(Graph graph, long seed) {
        return (double) Bisection.width(graph, STARTS, seed) / graph.edges();
    }
}
