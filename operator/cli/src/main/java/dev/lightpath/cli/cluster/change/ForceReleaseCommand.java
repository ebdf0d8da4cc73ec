package dev.lightpath.cli.cluster.change;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code kubectl lightpath force-release slice/NAME}. */
@Command(
        name = "force-release",
        description =
                "Releases a slice at once, although its circuits may still be lit; its ports are quarantined until"
                        + " they are read back dark.",
        mixinStandardHelpOptions = true)
public final class ForceReleaseCommand implements Callable<Integer> {
    @Parameters(paramLabel = "slice/NAME", description = "the FabricSlice")
    private String object = "";

    @Mixin
    private ActOptions act = new ActOptions();

    @Override
    public Integer call() {
        return act.carryOut(api -> Act.forceRelease(api, SliceName.parse(object, api.namespace())));
    }
}
