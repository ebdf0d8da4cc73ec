package dev.lightpath.cli.polarfly;

import dev.lightpath.cli.Answer;
import dev.lightpath.cli.Checked;
import dev.lightpath.cli.OutputOptions;
import dev.lightpath.console.text.Table;
import dev.lightpath.planner.polarfly.ClusterLayout;
import dev.lightpath.planner.polarfly.PolarFly;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "layout", description = "The racks and the links between them.", mixinStandardHelpOptions = true)
final class PolarFlyLayout implements Callable<Integer> {
    @Option(
            names = "--starter",
            description = "quadric whose neighbours are the centres (odd orders; default the lowest)")
    private @Nullable Integer starter;

    @Mixin
    private OrderOption order = new OrderOption();

    @Mixin
    private OutputOptions output = new OutputOptions();

    /** One rack of the answer; its first vertex is the centre. */
    record Cluster(int cluster, List<Integer> vertices) {}

    /** Links between two racks. */
    record Links(List<Integer> clusters, int links) {}

    @Override
    public Integer call() {
        PolarFly polarFly = order.polarFly();
        Integer from = starter;
        ClusterLayout layout = from == null
                ? ClusterLayout.of(polarFly)
                : Checked.input("--starter", () -> ClusterLayout.of(polarFly, from));
        List<Cluster> clusters = new ArrayList<>();
        List<List<String>> rows = new ArrayList<>();
        for (int c = 0; c < layout.clusters().size(); c++) {
            clusters.add(new Cluster(c, layout.clusters().get(c)));
            rows.add(List.of(Integer.toString(c), layout.clusters().get(c).toString()));
        }
        List<Links> links = layout.bundles(polarFly.graph()).stream()
                .map(b -> new Links(List.of(b.first(), b.second()), b.links()))
                .toList();
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("clusters", clusters);
        document.put("links", links);
        return output.print(new Answer(
                document,
                Table.of(List.of("cluster", "vertices, centre first"), rows)
                        .withNotes(links.stream()
                                .map(l -> "clusters " + l.clusters().get(0) + " and "
                                        + l.clusters().get(1) + ": " + l.links() + " links")
                                .toList())));
    }
}
