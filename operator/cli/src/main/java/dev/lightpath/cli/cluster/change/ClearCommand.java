package dev.lightpath.cli.cluster.change;

import dev.lightpath.console.text.ObjectName;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code kubectl lightpath clear node/NAME} and {@code clear switch/NAME}. */
@Command(
        name = "clear",
        description = "Declares a node, or a switch with its ports, healthy: its faults and its quarantine from before"
                + " now are over.",
        mixinStandardHelpOptions = true)
public final class ClearCommand implements Callable<Integer> {
    @Parameters(paramLabel = "node/NAME|switch/NAME", description = "the Node or the OpticalSwitch")
    private String object = "";

    @Mixin
    private ActOptions act = new ActOptions();

    @Override
    public Integer call() {
        ObjectName type = ObjectName.among(object, List.of(ObjectName.NODE, ObjectName.SWITCH));
        String name = type.parse(object);
        return act.carryOut(api -> Act.clear(api, type, name));
    }
}
