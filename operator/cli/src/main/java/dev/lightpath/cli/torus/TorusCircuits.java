package dev.lightpath.cli.torus;

import dev.lightpath.cli.Answer;
import dev.lightpath.cli.Checked;
import dev.lightpath.cli.OutputOptions;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.console.text.Table;
import dev.lightpath.planner.stripe.SwitchCircuits;
import dev.lightpath.planner.torus.CubeArrangement;
import dev.lightpath.planner.torus.CubeSlice;
import dev.lightpath.planner.torus.Shape;
import dev.lightpath.planner.torus.Twist;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "circuits",
        description = "The circuits of a slice on the 48 switches.",
        mixinStandardHelpOptions = true)
final class TorusCircuits implements Callable<Integer> {
    private static final int MOST_CUBES = 65536;

    @Option(names = "--cubes", required = true, paramLabel = "1x1x2", description = "the slice in cubes")
    private String cubes = "";

    @Option(
            names = "--placement",
            paramLabel = "0,3",
            description = "the cube of each part, x fastest (default 0,1,...)")
    private @Nullable String placement;

    @Option(
            names = "--total-cubes",
            defaultValue = "64",
            description = "cubes of the fabric (default ${DEFAULT-VALUE})")
    private int totalCubes = 64;

    @Mixin
    private TwistOptions twist = new TwistOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    /** One switch of the answer. */
    record Switch(
            @com.fasterxml.jackson.annotation.JsonProperty("switch")
            int index,

            List<int[]> circuits) {}

    @Override
    public Integer call() {
        Shape shape = Checked.input("--cubes", () -> Shape.parse(cubes));
        if (totalCubes < 1 || totalCubes > MOST_CUBES) {
            throw new BadInput("--total-cubes " + totalCubes + ": allowed 1 to " + MOST_CUBES);
        }
        if (shape.volume() > totalCubes) {
            throw new BadInput("--cubes: " + shape + " are " + shape.volume() + " cubes, the fabric has " + totalCubes
                    + " (--total-cubes)");
        }
        String parts = placement;
        int[] of =
                parts == null ? IntStream.range(0, shape.volume()).toArray() : Checked.integers("--placement", parts);
        for (int cube : of) {
            if (cube < 0 || cube >= totalCubes) {
                throw new BadInput("--placement: cube " + cube + " does not exist, allowed 0 to " + (totalCubes - 1));
            }
        }
        Shape chips = Checked.input("--cubes", () -> new Shape(4 * shape.x(), 4 * shape.y(), 4 * shape.z()));
        Twist shifts = Checked.input("--shift", () -> twist.shifts(chips).inCubes());
        CubeSlice slice = Checked.input(
                "--placement",
                () -> new CubeSlice(
                        CubeArrangement.box(shape, shifts),
                        Arrays.stream(of).boxed().toList()));
        List<SwitchCircuits> switches = slice.circuits();
        return output.print(new Answer(
                Map.of(
                        "switches",
                        switches.stream()
                                .map(s -> new Switch(
                                        s.switchIndex(),
                                        s.circuits().stream()
                                                .map(c -> new int[] {c.from(), c.to()})
                                                .toList()))
                                .toList()),
                Table.of(
                        List.of("switch", "circuits (in-out)"),
                        switches.stream()
                                .map(s -> List.of(
                                        Integer.toString(s.switchIndex()),
                                        String.join(
                                                " ",
                                                s.circuits().stream()
                                                        .map(Object::toString)
                                                        .toList())))
                                .toList())));
    }
}
