package dev.lightpath.cli.torus;

import dev.lightpath.cli.Answer;
import dev.lightpath.cli.Checked;
import dev.lightpath.cli.OutputOptions;
import dev.lightpath.console.text.Table;
import dev.lightpath.planner.torus.Shape;
import dev.lightpath.planner.torus.TorusChoice;
import dev.lightpath.planner.torus.TorusObjective;
import dev.lightpath.planner.torus.TorusPattern;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "choose",
        description = "Twists of a shape, best first: the 64 best that switches can make, or with --all every pattern.",
        mixinStandardHelpOptions = true)
final class TorusChoose implements Callable<Integer> {
    private static final int SHOWN = 64;

    @Option(names = "--chips", required = true, paramLabel = "4x4x8", description = "the torus in chips")
    private String chips = "";

    @Option(
            names = "--objective",
            defaultValue = "max-link-load",
            description = "max-link-load, average-distance or data-tensor (default ${DEFAULT-VALUE})")
    private String objective = "max-link-load";

    @Option(names = "--all", description = "all 64 patterns of half dimensions and all that switches can make")
    private boolean all;

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        Shape shape = Checked.input("--chips", () -> Shape.parse(chips));
        TorusObjective goal = Checked.input("--objective", () -> TorusObjective.of(objective));
        List<TorusPattern> patterns = all
                ? Checked.input("--chips", () -> TorusChoice.all(shape, goal))
                : Checked.input("--chips", () -> TorusChoice.realisable(shape, goal)).stream()
                        .limit(SHOWN)
                        .toList();
        List<TorusFigures> figures = patterns.parallelStream()
                .map(p -> TorusFigures.of(shape, p.shifts(), p.metrics(), p.gain()))
                .toList();
        return output.print(new Answer(
                Map.of("patterns", figures),
                Table.of(
                        TorusFigures.COLUMNS,
                        figures.stream().map(TorusFigures::cells).toList())));
    }
}
