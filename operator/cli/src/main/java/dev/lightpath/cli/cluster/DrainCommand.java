package dev.lightpath.cli.cluster;

import dev.lightpath.cli.OutputOptions;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import java.util.List;
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
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        String name = ObjectName.SWITCH.parse(object);
        return cluster.with(api -> {
            boolean changed = api.opticalSwitch(name).getSpec().drained() != true;
            if (changed) {
                Act.patch(api.client().resources(OpticalSwitch.class).withName(name), Act.spec("drained", true));
            }
            return output.print(new Act("switch/" + name, "drained", changed, List.of()).answer());
        });
    }
}
