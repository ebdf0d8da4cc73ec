package dev.lightpath.cli.delta;

import dev.lightpath.cli.Answer;
import dev.lightpath.cli.Infeasible;
import dev.lightpath.cli.OutputOptions;
import dev.lightpath.console.explain.Explanations;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.console.text.Table;
import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.Explanation;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.search.InfeasibleBudget;
import dev.lightpath.planner.delta.simulation.Rates;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lightpath delta explain}. */
@Command(
        name = "explain",
        description =
                "Why a topology is as it is: bytes per pair, critical path, what one more port in a pod would give.",
        mixinStandardHelpOptions = true)
final class ExplainCommand implements Callable<Integer> {
    @Mixin
    private final TopologyOptions question = new TopologyOptions();

    @Mixin
    private final SearchOptions search = new SearchOptions();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        TopologyOptions.Question asked = question.read();
        Topology topology = asked.topology()
                .orElseThrow(() ->
                        new BadInput("--topology ideal: allowed: circuits per group, there is nothing to explain"));
        try {
            Explanation explanation = Explanation.of(
                    asked.instance(),
                    topology,
                    searchUnder(asked.rates()),
                    new DeltaPlanner(),
                    search.limits(line -> {}).withNodes(Explanations.NODES));
            List<String> page = Explanations.page(explanation, pod -> "" + pod);
            return output.print(new Answer(explanation, new Table(List.of(), List.of(), page)));
        } catch (InfeasibleBudget e) {
            throw new Infeasible(String.valueOf(e.getMessage()));
        }
    }

    /** The search whose figures are under these rates and that ends soon. */
    static Algorithm searchUnder(Rates rates) {
        return switch (rates) {
            case JOINT -> Algorithm.JOINT;
            case FAIR -> Algorithm.FAST;
        };
    }
}
