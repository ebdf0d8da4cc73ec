package dev.lightpath.cli.cluster.change;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kubectl lightpath undrain switch/NAME[/PORT]}. */
@Command(
        name = "undrain",
        description = "Takes a drained switch, or one port of a switch, back into use.",
        mixinStandardHelpOptions = true)
public final class UndrainCommand implements Callable<Integer> {
    @Parameters(paramLabel = "switch/NAME[/PORT]", description = "the OpticalSwitch, or one port of it")
    private String object = "";

    @Option(
            names = "--operator-namespace",
            paramLabel = "NAMESPACE",
            defaultValue = "lightpath-system",
            description = "of a port: where the operator's certificate is; default: ${DEFAULT-VALUE}")
    private String namespace = "lightpath-system";

    @Mixin
    private ActOptions act = new ActOptions();

    @Override
    public Integer call() {
        SwitchPort of = SwitchPort.parse(object);
        return act.carryOut(api -> Act.drain(api, of, namespace, false));
    }
}
