package dev.lightpath.cli.polarfly;

import dev.lightpath.cli.Answer;
import dev.lightpath.cli.Checked;
import dev.lightpath.cli.OutputOptions;
import dev.lightpath.console.text.Table;
import dev.lightpath.planner.graph.Distances;
import dev.lightpath.planner.graph.Graph;
import dev.lightpath.planner.polarfly.Expansion;
import dev.lightpath.planner.polarfly.PolarFly;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "expand",
        description = "Grows a PolarFly by copies of a rack; existing links stay.",
        mixinStandardHelpOptions = true)
final class PolarFlyExpand implements Callable<Integer> {
    @Option(names = "--copies", required = true, description = "racks to add")
    private int copies;

    @Option(
            names = "--method",
            defaultValue = "quadric",
            description = "quadric or non-quadric (default ${DEFAULT-VALUE})")
    private String method = "quadric";

    @Option(names = "--edges", description = "print the new edges, too")
    private boolean edges;

    @Mixin
    private OrderOption order = new OrderOption();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        PolarFly polarFly = order.polarFly();
        Expansion.Method how = Checked.input("--method", () -> Expansion.Method.of(method));
        boolean impossible = how == Expansion.Method.NON_QUADRIC && polarFly.order() % 2 == 0;
        Expansion grown =
                Checked.input(impossible ? "--method" : "--copies", () -> Expansion.of(polarFly, how, copies));
        Graph graph = grown.graph();
        int n = graph.vertices();
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("vertices", n);
        figures.put("edges", graph.edges());
        figures.put("newVertices", n - polarFly.vertices());
        figures.put("minDegree", graph.minDegree());
        figures.put("maxDegree", graph.maxDegree());
        if (PolarFly.hasDiameterTwo(graph)) {
            figures.put("diameter", 2);
            figures.put("averageDistance", 2 - 2.0 * graph.edges() / ((double) n * (n - 1)));
        } else {
            Distances distances = Distances.of(graph);
            figures.put("diameter", distances.diameter());
            figures.put("averageDistance", distances.averageShortestPath());
        }
        figures.put("newCircuits", grown.newEdges().size());
        figures.put("movedCircuits", moved(polarFly.graph(), graph));
        List<Object> facts = new ArrayList<>();
        figures.forEach((name, value) -> {
            facts.add(name);
            facts.add(value);
        });
        if (edges) {
            figures.put("newEdgeList", grown.newEdges());
        }
        return output.print(new Answer(figures, Table.facts(facts.toArray())));
    }

    /** Old edges that the grown graph has not. */
    private static int moved(Graph before, Graph after) {
        int[] ends = before.ends();
        int moved = 0;
        for (int i = 0; i < ends.length; i += 2) {
            moved += after.adjacent(ends[i], ends[i + 1]) ? 0 : 1;
        }
        return moved;
    }
}
