package dev.lightpath.cli.cluster.change;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kubectl lightpath drain switch/NAME[/PORT]}. */
@Command(
        name = "drain",
        description = {
            "Drains a switch or one of its ports: no new circuit, and its light moves away as the fabric's policy allows.",
            "switch/NAME/PORT takes one port out of service at its driver: its circuits move as from a port that failed."
        },
        mixinStandardHelpOptions = true)
public final class DrainCommand implements Callable<Integer> {
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
        return act.carryOut(api -> Act.drain(api, of, namespace, true));
    }
}
