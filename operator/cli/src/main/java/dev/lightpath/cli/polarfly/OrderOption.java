package dev.lightpath.cli.polarfly;

import dev.lightpath.cli.Checked;
import dev.lightpath.planner.polarfly.PolarFly;
import picocli.CommandLine.Option;

/** The {@code --order} every polarfly command carries. */
final class OrderOption {
    @Option(names = "--order", required = true, paramLabel = "q", description = "a prime power from 2 to 256")
    private int order;

    PolarFly polarFly() {
        return Checked.input("--order", () -> new PolarFly(order));
    }
}
