package dev.lightpath.cli.torus;

import dev.lightpath.cli.Answer;
import dev.lightpath.cli.Checked;
import dev.lightpath.cli.OutputOptions;
import dev.lightpath.console.text.Table;
import dev.lightpath.planner.torus.CubeArrangement;
import dev.lightpath.planner.torus.Shape;
import dev.lightpath.planner.torus.TorusMetrics;
import dev.lightpath.planner.torus.Twist;
import dev.lightpath.planner.torus.TwistedTorus;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "evaluate", description = "Figures of one twist.", mixinStandardHelpOptions = true)
final class TorusEvaluate implements Callable<Integer> {
    @Option(names = "--chips", required = true, paramLabel = "4x4x8", description = "the torus in chips")
    private String chips = "";

    @Mixin
    private TwistOptions twist = new TwistOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        Shape shape = Checked.input("--chips", () -> Shape.parse(chips));
        Checked.input("--chips", () -> CubeArrangement.cubesOf(shape));
        Twist shifts = twist.shifts(shape);
        TorusMetrics metrics = TwistedTorus.metrics(shape, shifts);
        double regular = TwistedTorus.metrics(shape, Twist.NONE).maxLinkLoad();
        double gain = metrics.maxLinkLoad() == 0 ? 1 : regular / metrics.maxLinkLoad();
        TorusFigures figures = TorusFigures.of(shape, shifts, metrics, gain);
        return output.print(new Answer(figures, Table.of(TorusFigures.COLUMNS, List.of(figures.cells()))));
    }
}
