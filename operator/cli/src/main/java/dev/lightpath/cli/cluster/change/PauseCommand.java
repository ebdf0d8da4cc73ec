package dev.lightpath.cli.cluster.change;

import dev.lightpath.console.text.ObjectName;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code kubectl lightpath pause fabric/NAME}. */
@Command(
        name = "pause",
        description = "Pauses a fabric: the operator reads, plans and reports, and moves no light.",
        mixinStandardHelpOptions = true)
public final class PauseCommand implements Callable<Integer> {
    @Parameters(paramLabel = "fabric/NAME", description = "the OpticalFabric")
    private String object = "";

    @Mixin
    private ActOptions act = new ActOptions();

    @Override
    public Integer call() {
        String name = ObjectName.FABRIC.parse(object);
        return act.carryOut(api -> Act.pause(api, name));
    }
}
