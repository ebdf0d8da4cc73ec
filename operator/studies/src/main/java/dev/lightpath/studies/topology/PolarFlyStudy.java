package dev.lightpath.studies.topology;

import dev.lightpath.planner.graph.Distances;
import dev.lightpath.planner.graph.EcmpLoads;
import dev.lightpath.planner.graph.Graph;
import dev.lightpath.planner.polarfly.Expansion;
import dev.lightpath.planner.polarfly.FlowRouting;
import dev.lightpath.planner.polarfly.PolarFly;
import dev.lightpath.planner.polarfly.Routing;
import dev.lightpath.planner.polarfly.SwitchPlanes;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.studies.Chart;
import dev.lightpath.studies.Study;
import dev.lightpath.studies.StudyTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** PolarFly's claims one by one, beside the networks of its Table V. */
final class PolarFlyStudy implements Study {
    private static final double INJECTION = 16;

    @Override
    public String name() {
        return "polarfly";
    }

    @Override
    public String question() {
        return "Do PolarFly's figures hold? (size, efficiency, traffic, growth, switches; PolarFly Table V, Figs. 1-11)";
    }

    @Override
    public StudyTable run(Options options, Consumer<String> progress) {
        List<List<Object>> rows = new ArrayList<>();
        PolarFly polarFly = new PolarFly(31);
        for (Map.Entry<String, Graph> network : TableV.networks(options.seed()).entrySet()) {
            progress.accept("measuring " + network.getKey());
            Graph graph = network.getValue();
            Distances distances = Distances.of(graph);
            int radix = graph.maxDegree();
            add(rows, "Table V", network.getKey() + " routers", graph.vertices(), TableV.routers(network.getKey()));
            add(rows, "Table V", network.getKey() + " radix", radix, TableV.radix(network.getKey()));
            add(rows, "distance", network.getKey() + " diameter", distances.diameter(), "");
            add(rows, "distance", network.getKey() + " average shortest path", distances.averageShortestPath(), "");
            TableV.injection(network.getKey())
                    .ifPresent(p -> add(
                            rows,
                            "Fig. 8a",
                            network.getKey() + " uniform ECMP throughput at p = " + p,
                            EcmpLoads.throughput(EcmpLoads.uniform(graph, p)),
                            ""));
        }
        add(
                rows,
                "Fig. 1",
                "feasible radixes up to 128",
                PolarFly.feasibleRadixes(128).size(),
                "");
        add(rows, "Fig. 2", "Moore efficiency of order 31", polarFly.mooreEfficiency(), "> 0.96");
        add(rows, "Fig. 2", "Moore efficiency of order 127", new PolarFly(127).mooreEfficiency(), "> 0.96");
        progress.accept("routing on order 31");
        FlowRouting flows = new FlowRouting(polarFly, INJECTION);
        int[] permutation = FlowRouting.derangement(polarFly.vertices(), options.seed());
        for (Routing routing : Routing.values()) {
            add(
                    rows,
                    "Fig. 8a",
                    "uniform, " + routing.label(),
                    flows.uniform(routing).throughput(),
                    routing == Routing.MINIMAL ? "near 1" : "");
            add(
                    rows,
                    "Fig. 8b",
                    "random permutation, " + routing.label(),
                    flows.permutation(permutation, routing).throughput(),
                    switch (routing) {
                        case MINIMAL -> "at most 1/16";
                        case UGAL -> "about 0.5";
                        case VALIANT, COMPACT_VALIANT -> "";
                    });
        }
        List<Chart.Series> series = growth(rows, polarFly, progress);
        switches(rows, polarFly);
        return new StudyTable(
                "PolarFly beside the networks of its Table V",
                List.of("source", "what", "ours", "paper"),
                rows,
                List.of(
                        "flow level, no queues: upper bounds of what the paper's packet simulator shows",
                        "UGAL: the best split of minimal and compact-Valiant paths within the threshold of 2/3",
                        "the fat tree's endpoints sit on its leaves alone, so its traffic is not measured router to router",
                        "grown graphs are routed by ECMP; the paper's drops of 31 % and 19 % are at 39 % growth",
                        "misprint: the paper's equation 2 has wrong indices; (s1 d2 - s2 d1, s2 d0 - s0 d2, s0 d1 - s1 d0) is meant",
                        "the paper's cost factors 5.19x and 2.68x cannot be derived from its text; Table VI does not count simple paths"),
                Optional.of(new Chart(
                        "Growing PolarFly of order 31", "racks added", "uniform throughput at p = 16, ECMP", series)));
    }

    private static List<Chart.Series> growth(List<List<Object>> rows, PolarFly polarFly, Consumer<String> progress) {
        List<Chart.Series> series = new ArrayList<>();
        for (Expansion.Method method : Expansion.Method.values()) {
            List<Chart.Point> points = new ArrayList<>();
            for (int copies : new int[] {0, 3, 6, 9, 12}) {
                progress.accept("growing by " + copies + " " + method.label() + " racks");
                Expansion grown = Expansion.of(polarFly, method, copies);
                double traffic = EcmpLoads.throughput(EcmpLoads.uniform(grown.graph(), INJECTION));
                points.add(new Chart.Point(copies, traffic));
                String what = copies + " " + method.label() + " copies: ";
                add(rows, "Fig. 11", what + "routers", grown.graph().vertices(), "");
                add(rows, "Fig. 11", what + "highest degree", grown.graph().maxDegree(), "");
                add(
                        rows,
                        "Fig. 11",
                        what + "uniform throughput",
                        traffic,
                        copies != 12 ? "" : method == Expansion.Method.QUADRIC ? "0.69 of peak" : "0.81 of peak");
            }
            series.add(new Chart.Series(method.label(), points));
        }
        return series;
    }

    private static void switches(List<List<Object>> rows, PolarFly polarFly) {
        for (DeviceKind device : DeviceKind.values()) {
            add(
                    rows,
                    "switches",
                    "order 31, " + device.label() + " planes",
                    SwitchPlanes.full(polarFly, device).size(),
                    "");
            add(
                    rows,
                    "switches",
                    "order 31, " + device.label() + " devices of radix 128",
                    SwitchPlanes.ofRadix(polarFly, device, 128).size(),
                    "");
        }
        add(
                rows,
                "switches",
                "new circuits of one quadric rack, none moved",
                Expansion.of(polarFly, Expansion.Method.QUADRIC, 1).newEdges().size(),
                "");
    }

    private static void add(List<List<Object>> rows, String source, String what, Object ours, Object paper) {
        rows.add(List.of(source, what, ours, paper));
    }
}
