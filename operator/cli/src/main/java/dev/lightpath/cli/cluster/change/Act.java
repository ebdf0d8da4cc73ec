package dev.lightpath.cli.cluster.change;

import dev.lightpath.cli.Answer;
import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.cli.cluster.driver.PortInUse;
import dev.lightpath.console.report.ShownCondition;
import dev.lightpath.console.text.ObjectName;
import dev.lightpath.console.text.Page;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/**
 * What a person's command did: its JSON document.
 *
 * @param object as TYPE/NAME
 * @param did in the past tense
 * @param changed false when it was so already
 * @param notes what to know
 */
public record Act(String object, String did, boolean changed, List<String> notes) {
    public static final String FIELD_MANAGER = "kubectl-lightpath";

    /** Merges a patch into the object; other fields stay with their owners. */
    public static <T extends HasMetadata> void patch(Resource<T> object, Map<String, Object> patch) {
        object.patch(
                new PatchContext.Builder()
                        .withPatchType(PatchType.JSON_MERGE)
                        .withFieldManager(FIELD_MANAGER)
                        .build(),
                Serialization.asJson(patch));
    }

    static Map<String, Object> annotation(String key, String value) {
        return Map.of("metadata", Map.of("annotations", Map.of(key, value)));
    }

    public static Map<String, Object> spec(String field, boolean value) {
        return Map.of("spec", Map.of(field, value));
    }

    /**
     * Takes a switch or one port of it out of use, or back into it.
     *
     * @param namespace of the operator
     */
    static Act drain(Cluster api, SwitchPort of, String namespace, boolean drained) {
        if (of.port().isEmpty()) {
            return drain(api, of.name(), drained);
        }
        String port = of.port().get();
        boolean changed = PortInUse.set(api, namespace, api.opticalSwitch(of.name()), port, !drained);
        return new Act("switch/" + of.name() + "/" + port, drained ? "drained" : "undrained", changed, List.of());
    }

    /** Takes a switch out of use or back into it. */
    static Act drain(Cluster api, String name, boolean drained) {
        boolean changed = api.opticalSwitch(name).getSpec().drained() != drained;
        if (changed) {
            patch(api.client().resources(OpticalSwitch.class).withName(name), spec("drained", drained));
        }
        return new Act("switch/" + name, drained ? "drained" : "undrained", changed, List.of());
    }

    /** Stops all changes of light on a fabric. */
    static Act pause(Cluster api, String name) {
        boolean changed = !api.fabric(name).getSpec().paused();
        if (changed) {
            patch(api.client().resources(OpticalFabric.class).withName(name), spec("paused", true));
        }
        return new Act("fabric/" + name, "paused", changed, List.of());
    }

    /**
     * Lets light move again. A pause hides a mass failure, so the user who ends a pause has not seen it yet. The
     * circuit breaker stays closed until it shows and the command is given again.
     */
    static Act resume(Cluster api, String name) {
        OpticalFabric fabric = api.fabric(name);
        Resource<OpticalFabric> resource =
                api.client().resources(OpticalFabric.class).withName(name);
        boolean paused = fabric.getSpec().paused();
        boolean massFailure = showsMassFailure(fabric);
        if (massFailure) {
            patch(resource, annotation(LightpathAnnotations.RESUME_AFTER_MASS_FAILURE, now()));
        }
        if (paused) {
            patch(resource, spec("paused", false));
        }
        List<String> notes = massFailure
                ? List.of("faults until now no longer count as a mass failure: repairs go ahead")
                : paused ? List.of("if it now shows MassFailure, resume it again to let repairs go ahead") : List.of();
        return new Act("fabric/" + name, "resumed", paused || massFailure, notes);
    }

    static boolean showsMassFailure(OpticalFabric fabric) {
        return fabric.getStatus() != null
                && ShownCondition.of(fabric.getStatus().conditions()).stream()
                        .anyMatch(of -> Reason.MASS_FAILURE.word().equals(of.reason()));
    }

    /**
     * Ends the faults of a node, or of a switch with its ports, from before now.
     *
     * @param type NODE or SWITCH
     */
    static Act clear(Cluster api, ObjectName type, String name) {
        return type == ObjectName.SWITCH ? clearSwitch(api, name) : clearNode(api, name);
    }

    private static Act clearNode(Cluster api, String name) {
        Map<String, String> annotations = api.node(name).getMetadata().getAnnotations();
        patch(api.client().nodes().withName(name), annotation(LightpathAnnotations.CLEAR_FAULT, now()));
        String declared = annotations == null ? null : annotations.get(LightpathAnnotations.FAULTY);
        List<String> notes = declared == null
                ? List.of()
                : List.of("somebody declared it faulty (" + declared + "): kubectl annotate node " + name + " "
                        + LightpathAnnotations.FAULTY + "- takes that back");
        return new Act("node/" + name, "cleared", true, notes);
    }

    private static Act clearSwitch(Cluster api, String name) {
        boolean drained = api.opticalSwitch(name).getSpec().drained();
        patch(
                api.client().resources(OpticalSwitch.class).withName(name),
                annotation(LightpathAnnotations.CLEAR_FAULT, now()));
        List<String> notes = drained
                ? List.of("it is drained: kubectl lightpath undrain switch/" + name + " takes it back into use")
                : List.of();
        return new Act("switch/" + name, "cleared", true, notes);
    }

    /** Releases a slice although its circuits may still be lit. */
    static Act forceRelease(Cluster api, SliceName slice) {
        Map<String, String> annotations = slice.in(api).getMetadata().getAnnotations();
        boolean changed = annotations == null || !annotations.containsKey(LightpathAnnotations.FORCE_RELEASE);
        if (changed) {
            patch(
                    api.client()
                            .resources(FabricSlice.class)
                            .inNamespace(slice.namespace())
                            .withName(slice.name()),
                    annotation(LightpathAnnotations.FORCE_RELEASE, ""));
        }
        return new Act(
                "slice/" + slice.name(),
                "released by force",
                changed,
                List.of("its ports stay quarantined until they are read back dark"));
    }

    private static String now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
    }

    public Answer answer() {
        Page page = new Page().line(object + " " + (changed ? did : "was " + did + " already"));
        notes.forEach(page::line);
        return new Answer(this, page.text());
    }
}
