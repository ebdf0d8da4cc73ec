package dev.lightpath.cli.polarfly;

import dev.lightpath.cli.Answer;
import dev.lightpath.cli.Checked;
import dev.lightpath.cli.OutputOptions;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.console.text.Table;
import dev.lightpath.planner.polarfly.FlowLoads;
import dev.lightpath.planner.polarfly.FlowRouting;
import dev.lightpath.planner.polarfly.PolarFly;
import dev.lightpath.planner.polarfly.Routing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "route",
        description = "Throughput and link loads of traffic as a fluid.",
        mixinStandardHelpOptions = true)
final class PolarFlyRoute implements Callable<Integer> {
    @Option(names = "--pattern", required = true, description = "uniform or permutation")
    private String pattern = "";

    @Option(
            names = "--routing",
            defaultValue = "minimal",
            description = "minimal, valiant, compact-valiant or ugal (default ${DEFAULT-VALUE})")
    private String routing = "minimal";

    @Option(names = "--endpoints", description = "injection per vertex in link bandwidths (default half the radix)")
    private @Nullable Double endpoints;

    @Option(names = "--seed", defaultValue = "1", description = "seed of the permutation (default ${DEFAULT-VALUE})")
    private long seed = 1;

    @Mixin
    private OrderOption order = new OrderOption();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        PolarFly polarFly = order.polarFly();
        Routing by = Checked.input("--routing", () -> Routing.of(routing));
        Double given = endpoints;
        double injection = given == null ? (polarFly.order() + 1) / 2 : given;
        if (!(injection > 0) || Double.isInfinite(injection)) {
            throw new BadInput("--endpoints " + injection + ": a positive number of link bandwidths");
        }
        FlowRouting flows = new FlowRouting(polarFly, injection);
        FlowLoads loads = switch (pattern) {
            case "uniform" -> flows.uniform(by);
            case "permutation" -> flows.permutation(FlowRouting.derangement(polarFly.vertices(), seed), by);
            default -> throw new BadInput("--pattern " + pattern + ": uniform or permutation");
        };
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("throughput", loads.throughput());
        figures.put("maxLinkLoad", loads.maxLoad());
        figures.put("averageLinkLoad", loads.averageLoad());
        figures.put("medianLinkLoad", loads.medianLoad());
        figures.put("averageHops", loads.averageHops());
        figures.put("endpoints", injection);
        List<Object> facts = new ArrayList<>();
        figures.forEach((name, value) -> {
            facts.add(name);
            facts.add(value);
        });
        return output.print(new Answer(figures, Table.facts(facts.toArray())));
    }
}
