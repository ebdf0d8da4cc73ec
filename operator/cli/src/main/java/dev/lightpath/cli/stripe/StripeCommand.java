package dev.lightpath.cli.stripe;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.lightpath.cli.Answer;
import dev.lightpath.cli.Infeasible;
import dev.lightpath.cli.Json;
import dev.lightpath.cli.OutputOptions;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.console.text.Table;
import dev.lightpath.planner.stripe.SearchBudget;
import dev.lightpath.planner.stripe.StageOrder;
import dev.lightpath.planner.stripe.Striper;
import dev.lightpath.planner.stripe.StripingOutcome;
import dev.lightpath.planner.stripe.StripingRequest;
import dev.lightpath.planner.stripe.SwitchCircuits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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

    @Option(
            names = "--most-dark",
            paramLabel = "N",
            description =
                    "print stages, too, in which the previous light becomes the new one: no port used twice, at most N"
                            + " circuits dark at a time; where that cannot be done, a stage takes down the few it must")
    private @Nullable Integer mostDark;

    @Mixin
    private OutputOptions output = new OutputOptions();

    /** One switch of the answer, ports as strings. */
    record Switch(@JsonProperty("switch") int index, List<List<String>> circuits) {}

    /** A circuit of a stage. */
    record Lit(@JsonProperty("switch") int index, List<String> circuit) {}

    /**
     * One stage of the answer: all disconnects before the connects.
     *
     * @param dark circuits that are dark while it runs
     */
    record Stage(List<Lit> disconnect, List<Lit> connect, int dark) {}

    /** The answer; serves as {@code previous} of the next. */
    record Striping(
            List<Switch> switches,
            int moved,
            int lowerBound,
            int kept,
            @Nullable List<Stage> stages) {}

    @Override
    public Integer call() {
        Integer most = mostDark;
        if (most != null && most < 1) {
            throw new BadInput("--most-dark " + most + ": 1 or more circuits");
        }
        StripingRequest request = StripeInput.read(input.toString(), Json.read(input));
        SearchBudget fitting = SearchBudget.fitting(request);
        StripingOutcome outcome = Striper.stripe(request, new SearchBudget(fitting.steps(), seed, fitting.stop()));
        return switch (outcome) {
            case StripingOutcome.Infeasible none -> throw new Infeasible(none.reason());
            case StripingOutcome.Striped striped -> output.print(answer(striped, stages(request, striped)));
        };
    }

    private Optional<List<StageOrder.Stage>> stages(StripingRequest request, StripingOutcome.Striped striped) {
        return Optional.ofNullable(mostDark)
                .map(most ->
                        StageOrder.order(request.device(), request.previous(), striped.switches(), most, lit -> true));
    }

    private static Answer answer(StripingOutcome.Striped striped, Optional<List<StageOrder.Stage>> stages) {
        List<Switch> switches = striped.switches().stream()
                .map(s -> new Switch(
                        s.switchIndex(),
                        s.circuits().stream()
                                .map(c -> List.of(Integer.toString(c.from()), Integer.toString(c.to())))
                                .toList()))
                .toList();
        return new Answer(
                new Striping(
                        switches,
                        striped.moved(),
                        striped.lowerBound(),
                        striped.kept(),
                        stages.map(StripeCommand::stages).orElse(null)),
                Table.of(
                                List.of("switch", "circuits"),
                                striped.switches().stream()
                                        .map(StripeCommand::row)
                                        .toList())
                        .withNotes(notes(striped, stages)));
    }

    private static List<String> notes(StripingOutcome.Striped striped, Optional<List<StageOrder.Stage>> stages) {
        List<String> notes = new ArrayList<>();
        notes.add("moved " + striped.moved() + " (at least " + striped.lowerBound() + "), kept " + striped.kept());
        List<StageOrder.Stage> order = stages.orElse(List.of());
        for (int at = 0; at < order.size(); at++) {
            StageOrder.Stage stage = order.get(at);
            notes.add("stage " + (at + 1) + ", " + stage.dark() + " dark: down " + words(stage.disconnect()) + "; up "
                    + words(stage.connect()));
        }
        return notes;
    }

    private static String words(List<StageOrder.Lit> circuits) {
        return circuits.isEmpty()
                ? "none"
                : String.join(
                        " ",
                        circuits.stream()
                                .map(lit -> lit.switchIndex() + "/" + lit.circuit())
                                .toList());
    }

    private static List<Stage> stages(List<StageOrder.Stage> order) {
        return order.stream()
                .map(stage -> new Stage(lit(stage.disconnect()), lit(stage.connect()), stage.dark()))
                .toList();
    }

    private static List<Lit> lit(List<StageOrder.Lit> circuits) {
        return circuits.stream()
                .map(lit -> new Lit(
                        lit.switchIndex(),
                        List.of(
                                Integer.toString(lit.circuit().from()),
                                Integer.toString(lit.circuit().to()))))
                .toList();
    }

    private static List<String> row(SwitchCircuits of) {
        return List.of(
                Integer.toString(of.switchIndex()),
                String.join(" ", of.circuits().stream().map(Object::toString).toList()));
    }
}
