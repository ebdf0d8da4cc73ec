package dev.lightpath.cli.cluster.change;

import dev.lightpath.console.text.ObjectName;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code kubectl lightpath resume fabric/NAME}. */
@Command(
        name = "resume",
        description = "Lets the operator move light of a fabric again, after a pause or after a mass failure.",
        mixinStandardHelpOptions = true)
public final class ResumeCommand implements Callable<Integer> {
    @Parameters(paramLabel = "fabric/NAME", description = "the OpticalFabric")
    private String object = "";

    @Mixin
    private ActOptions act = new ActOptions();

    @Override
    public Integer call() {
        String name = ObjectName.FABRIC.parse(object);
        return act.carryOut(api -> Act.resume(api, name));
    }
}
