package dev.lightpath.cli.polarfly;

import dev.lightpath.cli.Answer;
import dev.lightpath.cli.Checked;
import dev.lightpath.cli.OutputOptions;
import dev.lightpath.console.text.Table;
import dev.lightpath.planner.polarfly.PolarFly;
import dev.lightpath.planner.polarfly.SwitchPlanes;
import dev.lightpath.planner.stripe.DeviceKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "circuits",
        description = "The circuits of each switch plane, vertices numbered as build does.",
        mixinStandardHelpOptions = true)
final class PolarFlyCircuits implements Callable<Integer> {
    @Option(names = "--device", required = true, description = "any-to-any or two-sided")
    private String device = "";

    @Option(names = "--radix", description = "ports of a switch (per side if two-sided); default: as many as vertices")
    private @Nullable Integer radix;

    @Mixin
    private OrderOption order = new OrderOption();

    @Mixin
    private OutputOptions output = new OutputOptions();

    /** One switch of the answer. */
    record Plane(int plane, List<int[]> circuits) {}

    @Override
    public Integer call() {
        PolarFly polarFly = order.polarFly();
        DeviceKind kind = Checked.input("--device", () -> DeviceKind.of(device));
        Integer ports = radix;
        List<List<int[]>> planes = ports == null
                ? SwitchPlanes.full(polarFly, kind)
                : Checked.input("--radix", () -> SwitchPlanes.ofRadix(polarFly, kind, ports));
        List<Plane> document = new ArrayList<>();
        List<List<String>> rows = new ArrayList<>();
        for (int p = 0; p < planes.size(); p++) {
            document.add(new Plane(p, planes.get(p)));
            rows.add(List.of(
                    Integer.toString(p),
                    String.join(
                            " ",
                            planes.get(p).stream().map(c -> c[0] + "-" + c[1]).toList())));
        }
        return output.print(new Answer(Map.of("planes", document), Table.of(List.of("plane", "circuits"), rows)));
    }
}
