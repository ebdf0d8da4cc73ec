package dev.lightpath.cli.cluster;

import dev.lightpath.cli.OutputOptions;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import java.util.List;
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
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        String name = ObjectName.SWITCH.parse(object);
        return cluster.with(api -> {
            boolean changed = api.opticalSwitch(name).getSpec().drained() != false;
            if (changed) {
                Act.patch(api.client().resources(OpticalSwitch.class).withName(name), Act.spec("drained", false));
            }
            return output.print(new Act("switch/" + name, "undrained", changed, List.of()).answer());
        });
    }
}
