package dev.lightpath.cli.cluster.change;

import dev.lightpath.console.text.ObjectName;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code kubectl lightpath drain switch/NAME}. */
@Command(
        name = "drain",
        description = "Drains a switch: no new circuit on it, and its light moves away as the fabric's policy allows.",
        mixinStandardHelpOptions = true)
public final class DrainCommand implements Callable<Integer> {
    @Parameters(paramLabel = "switch/NAME", description = "the OpticalSwitch")
    private String object = "";

    @Mixin
    private ActOptions act = new ActOptions();

    @Override
    public Integer call() {
        String name = ObjectName.SWITCH.parse(object);
        return act.carryOut(api -> Act.drain(api, name, true));
    }
}
