package dev.lightpath.cli.cluster.show;

import dev.lightpath.cli.OutputOptions;
import dev.lightpath.cli.cluster.access.ClusterOptions;
import dev.lightpath.cli.cluster.access.OperatorOptions;
import dev.lightpath.console.text.ObjectName;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code kubectl lightpath diff fabric/NAME}: meant against read back. */
@Command(
        name = "diff",
        description = "The light that the ledger means against the light that was read back from the devices.",
        mixinStandardHelpOptions = true)
public final class DiffCommand implements Callable<Integer> {
    @Parameters(paramLabel = "fabric/NAME", description = "the OpticalFabric")
    private String fabric = "";

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OperatorOptions operator = new OperatorOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        String name = ObjectName.FABRIC.parse(fabric);
        return cluster.with(api -> {
            api.fabric(name);
            return output.print(LightDiff.of(name, operator.view(api), api.slices(Optional.empty()))
                    .answer());
        });
    }
}
