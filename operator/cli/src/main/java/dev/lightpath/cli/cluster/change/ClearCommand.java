package dev.lightpath.cli.cluster.change;

import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.cli.cluster.access.ObjectName;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
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
        return act.carryOut(api -> type == ObjectName.SWITCH ? opticalSwitch(api, name) : node(api, name));
    }

    private static Act node(Cluster api, String name) {
        Map<String, String> annotations = api.node(name).getMetadata().getAnnotations();
        Act.patch(api.client().nodes().withName(name), cleared());
        String declared = annotations == null ? null : annotations.get(LightpathAnnotations.FAULTY);
        List<String> notes = declared == null
                ? List.of()
                : List.of("somebody declared it faulty (" + declared + "): kubectl annotate node " + name + " "
                        + LightpathAnnotations.FAULTY + "- takes that back");
        return new Act("node/" + name, "cleared", true, notes);
    }

    private static Act opticalSwitch(Cluster api, String name) {
        boolean drained = api.opticalSwitch(name).getSpec().drained();
        Act.patch(api.client().resources(OpticalSwitch.class).withName(name), cleared());
        List<String> notes = drained
                ? List.of("it is drained: kubectl lightpath undrain switch/" + name + " takes it back into use")
                : List.of();
        return new Act("switch/" + name, "cleared", true, notes);
    }

    private static Map<String, Object> cleared() {
        return Act.annotation(
                LightpathAnnotations.CLEAR_FAULT,
                Instant.now().truncatedTo(ChronoUnit.MILLIS).toString());
    }
}
