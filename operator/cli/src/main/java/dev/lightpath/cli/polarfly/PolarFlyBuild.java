package dev.lightpath.cli.polarfly;

import dev.lightpath.cli.Answer;
import dev.lightpath.cli.OutputOptions;
import dev.lightpath.console.text.Table;
import dev.lightpath.planner.graph.Distances;
import dev.lightpath.planner.polarfly.PolarFly;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "build", description = "The graph ER_q and its figures.", mixinStandardHelpOptions = true)
final class PolarFlyBuild implements Callable<Integer> {
    @Option(names = "--edges", description = "print the list of edges, too")
    private boolean edges;

    @Mixin
    private OrderOption order = new OrderOption();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        PolarFly polarFly = order.polarFly();
        int n = polarFly.vertices();
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("vertices", n);
        figures.put("edges", polarFly.graph().edges());
        if (polarFly.hasDiameterTwo()) {
            figures.put("diameter", 2);
            figures.put("averageDistance", 2 - 2.0 * polarFly.graph().edges() / ((double) n * (n - 1)));
        } else {
            Distances distances = Distances.of(polarFly.graph());
            figures.put("diameter", distances.diameter());
            figures.put("averageDistance", distances.averageShortestPath());
        }
        figures.put("quadrics", polarFly.quadrics().size());
        figures.put("triangles", polarFly.triangles());
        figures.put("mooreEfficiency", polarFly.mooreEfficiency());
        List<String> notes = new ArrayList<>();
        List<Object> facts = new ArrayList<>();
        figures.forEach((name, value) -> {
            facts.add(name);
            facts.add(value);
        });
        if (edges) {
            int[] ends = polarFly.graph().ends();
            List<int[]> list = new ArrayList<>();
            for (int i = 0; i < ends.length; i += 2) {
                list.add(new int[] {ends[i], ends[i + 1]});
                notes.add(ends[i] + " " + ends[i + 1]);
            }
            figures.put("edgeList", list);
        }
        return output.print(new Answer(figures, Table.facts(facts.toArray()).withNotes(notes)));
    }
}
