package dev.lightpath.cli.cluster;

import dev.lightpath.crds.LightpathAnnotations;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code kubectl lightpath clear node/NAME}. */
@Command(
        name = "clear",
        description = "Declares a node healthy: its faults and its quarantine from before now are over.",
        mixinStandardHelpOptions = true)
public final class ClearCommand implements Callable<Integer> {
    @Parameters(paramLabel = "node/NAME", description = "the Node")
    private String object = "";

    @Mixin
    private ActOptions act = new ActOptions();

    @Override
    public Integer call() {
        String name = ObjectName.NODE.parse(object);
        return act.carryOut(api -> {
            Map<String, String> annotations = api.node(name).getMetadata().getAnnotations();
            Act.patch(
                    api.client().nodes().withName(name),
                    Act.annotation(
                            LightpathAnnotations.CLEAR_FAULT,
                            Instant.now().truncatedTo(ChronoUnit.MILLIS).toString()));
            String declared = annotations == null ? null : annotations.get(LightpathAnnotations.FAULTY);
            List<String> notes = declared == null
                    ? List.of()
                    : List.of("somebody declared it faulty (" + declared + "): kubectl annotate node " + name + " "
                            + LightpathAnnotations.FAULTY + "- takes that back");
            return new Act("node/" + name, "cleared", true, notes);
        });
    }
}
