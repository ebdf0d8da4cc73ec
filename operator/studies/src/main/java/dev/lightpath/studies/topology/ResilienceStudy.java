package dev.lightpath.studies.topology;

import dev.lightpath.planner.graph.Distances;
import dev.lightpath.planner.graph.Graph;
import dev.lightpath.planner.graph.Resilience;
import dev.lightpath.studies.Chart;
import dev.lightpath.studies.Study;
import dev.lightpath.studies.StudyTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** PolarFly's figure 14: random link failures. */
final class ResilienceStudy implements Study {
    private static final int RUNS = 100;

    @Override
    public String name() {
        return "resilience";
    }

    @Override
    public String question() {
        return "How many random link failures until a network falls apart, and what do they do to its diameter? (PolarFly, Fig. 14)";
    }

    @Override
    public StudyTable run(Options options, Consumer<String> progress) {
        List<List<Object>> rows = new ArrayList<>();
        List<Chart.Series> series = new ArrayList<>();
        for (Map.Entry<String, Graph> network : TableV.networks(options.seed()).entrySet()) {
            progress.accept("breaking links of " + network.getKey());
            Graph graph = network.getValue();
            rows.add(List.of(
                    network.getKey(),
                    "median disconnection ratio",
                    Resilience.medianDisconnectionRatio(graph, RUNS, options.seed()),
                    ""));
            List<Chart.Point> points = new ArrayList<>();
            for (int percent = 0; percent <= 60; percent += 5) {
                Distances distances = Resilience.afterFailures(graph, percent / 100.0, options.seed());
                if (!distances.connected()) {
                    break;
                }
                points.add(new Chart.Point(percent, distances.diameter()));
                boolean claimed = network.getKey().equals("PolarFly") && percent >= 5 && percent <= 55;
                rows.add(List.of(
                        network.getKey(),
                        "diameter at " + percent + " % failed",
                        distances.diameter(),
                        claimed ? 4 : ""));
                rows.add(List.of(
                        network.getKey(),
                        "average shortest path at " + percent + " % failed",
                        distances.averageShortestPath(),
                        ""));
            }
            series.add(new Chart.Series(network.getKey(), points));
        }
        return new StudyTable(
                "Random link failures on the networks of PolarFly's Table V",
                List.of("network", "what", "ours", "paper"),
                rows,
                List.of(
                        "disconnection ratio: share of links failed when the routers first fall apart, median of "
                                + RUNS + " random orders; the paper shows its ratios only as a picture",
                        "diameter and path length along one random order (the seed's)"),
                Optional.of(new Chart("Diameter under link failures", "failed links (%)", "diameter (hops)", series)));
    }
}
