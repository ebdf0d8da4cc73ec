package dev.lightpath.cli.cluster.change;

import dev.lightpath.cli.Answer;
import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.cli.cluster.access.Page;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
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

    /** Takes a switch out of use or back into it. */
    static Act drain(Cluster api, String name, boolean drained) {
        boolean changed = api.opticalSwitch(name).getSpec().drained() != drained;
        if (changed) {
            patch(api.client().resources(OpticalSwitch.class).withName(name), spec("drained", drained));
        }
        return new Act("switch/" + name, drained ? "drained" : "undrained", changed, List.of());
    }

    Answer answer() {
        Page page = new Page().line(object + " " + (changed ? did : "was " + did + " already"));
        notes.forEach(page::line);
        return new Answer(this, page.text());
    }
}
