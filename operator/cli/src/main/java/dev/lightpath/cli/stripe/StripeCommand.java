package dev.lightpath.cli.stripe;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.lightpath.cli.Answer;
import dev.lightpath.cli.Infeasible;
import dev.lightpath.cli.Json;
import dev.lightpath.cli.OutputOptions;
import dev.lightpath.cli.Table;
import dev.lightpath.planner.stripe.SearchBudget;
import dev.lightpath.planner.stripe.Striper;
import dev.lightpath.planner.stripe.StripingOutcome;
import dev.lightpath.planner.stripe.StripingRequest;
import dev.lightpath.planner.stripe.SwitchCircuits;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lightpath stripe --input F}. */
@Command(
        name = "stripe",
        description = "Puts a logical topology on striped switches, moving as little light as it can.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nThe input, with topology[i][j] the circuits wanted from pod i to pod j:%n",
        footer = {
            "  {\"switches\": 2, \"portsPerPodPerSwitch\": 2, \"device\": \"two-sided\",",
            "   \"topology\": [[0, 2, 1], [2, 0, 1], [1, 1, 0]]}",
            "and, as you need them, \"previous\" (an answer of this command, whose circuits are kept where they can be)",
            "and \"unusablePorts\" ([{\"switch\": 0, \"port\": \"5\"}])."
        })
public final class StripeCommand implements Callable<Integer> {
    @Option(names = "--input", required = true, paramLabel = "F", description = "the wish, - for standard input")
    @SuppressWarnings("NullAway.Init")
    private Path input;

    @Option(names = "--seed", defaultValue = "1", description = "seed of the search (default ${DEFAULT-VALUE})")
    private long seed = 1;

    @Mixin
    private OutputOptions output = new OutputOptions();

    /** One switch of the answer, ports as strings. */
    record Switch(@JsonProperty("switch") int index, List<List<String>> circuits) {}

    /** The answer; serves as {@code previous} of the next. */
    record Striping(List<Switch> switches, int moved, int lowerBound, int kept) {}

    @Override
    public Integer call() {
        StripingRequest request = StripeInput.read(input.toString(), Json.read(input));
        SearchBudget fitting = SearchBudget.fitting(request);
        StripingOutcome outcome = Striper.stripe(request, new SearchBudget(fitting.steps(), seed, fitting.stop()));
        return switch (outcome) {
            case StripingOutcome.Infeasible none -> throw new Infeasible(none.reason());
            case StripingOutcome.Striped striped -> output.print(answer(striped));
        };
    }

    private static Answer answer(StripingOutcome.Striped striped) {
        List<Switch> switches = striped.switches().stream()
                .map(s -> new Switch(
                        s.switchIndex(),
                        s.circuits().stream()
                                .map(c -> List.of(Integer.toString(c.from()), Integer.toString(c.to())))
                                .toList()))
                .toList();
        return new Answer(
                new Striping(switches, striped.moved(), striped.lowerBound(), striped.kept()),
                Table.of(
                                List.of("switch", "circuits"),
                                striped.switches().stream()
                                        .map(StripeCommand::row)
                                        .toList())
                        .withNotes(List.of("moved " + striped.moved() + " (at least " + striped.lowerBound()
                                + "), kept " + striped.kept())));
    }

    private static List<String> row(SwitchCircuits of) {
        return List.of(
                Integer.toString(of.switchIndex()),
                String.join(" ", of.circuits().stream().map(Object::toString).toList()));
    }
}
