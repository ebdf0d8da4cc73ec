package dev.lightpath.cli.cluster.change;

import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.cli.cluster.access.ObjectName;
import dev.lightpath.cli.cluster.access.ShownCondition;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.fabric.OpticalFabric;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
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
        return act.carryOut(api -> resume(api, api.fabric(name)));
    }

    /**
     * A pause hides a mass failure, so the user who ends a pause has not seen it yet. The circuit breaker stays closed
     * until it shows and the command is given again.
     */
    private static Act resume(Cluster api, OpticalFabric fabric) {
        String name = fabric.getMetadata().getName();
        Resource<OpticalFabric> resource =
                api.client().resources(OpticalFabric.class).withName(name);
        List<ShownCondition> conditions = fabric.getStatus() == null
                ? List.of()
                : ShownCondition.of(fabric.getStatus().conditions());
        boolean paused = fabric.getSpec().paused();
        boolean massFailure = conditions.stream().anyMatch(ResumeCommand::isMassFailure);
        if (massFailure) {
            Act.patch(
                    resource,
                    Act.annotation(
                            LightpathAnnotations.RESUME_AFTER_MASS_FAILURE,
                            Instant.now().truncatedTo(ChronoUnit.MILLIS).toString()));
        }
        if (paused) {
            Act.patch(resource, Act.spec("paused", false));
        }
        List<String> notes = massFailure
                ? List.of("faults until now no longer count as a mass failure: repairs go ahead")
                : paused ? List.of("if it now shows MassFailure, resume it again to let repairs go ahead") : List.of();
        return new Act("fabric/" + name, "resumed", paused || massFailure, notes);
    }

    private static boolean isMassFailure(ShownCondition condition) {
        return Reason.MASS_FAILURE.word().equals(condition.reason());
    }
}
