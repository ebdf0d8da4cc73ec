package dev.lightpath.cli.cluster.change;

import dev.lightpath.console.text.ObjectName;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code kubectl lightpath undrain switch/NAME}. */
@Command(name = "undrain", description = "Takes a drained switch back into use.", mixinStandardHelpOptions = true)
public final class UndrainCommand implements Callable<Integer> {
    @Parameters(paramLabel = "switch/NAME", description = "the OpticalSwitch")
    private String object = "";

    @Mixin
    private ActOptions act = new ActOptions();

    @Override
    public Integer call() {
        String name = ObjectName.SWITCH.parse(object);
        return act.carryOut(api -> Act.drain(api, name, false));
    }
}
