package dev.lightpath.app.job.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lightpath.crds.LightpathAnnotations;

/**
 * The folder in which the containers of a pod find its annotations as files. A volume of this name, or a mount at this
 * place, that the template has already stays as it is.
 */
final class LightVolume {
    private static final String NAME = "lightpath";
    private static final String FOLDER = "/etc/lightpath";

    private LightVolume() {}

    /** Adds the volume to a pod, and mounts it in all its containers. */
    static void addTo(ObjectNode pod) {
        ArrayNode volumes = Json.array(pod, "volumes");
        if (Json.names(volumes, "name", NAME)) {
            return;
        }
        ArrayNode items =
                volumes.addObject().put("name", NAME).putObject("downwardAPI").putArray("items");
        item(items, "light.json", LightpathAnnotations.LIGHT);
        item(items, "hostfile", LightpathAnnotations.HOSTFILE);
        for (JsonNode container : Json.array(pod, "containers")) {
            if (container instanceof ObjectNode editable) {
                mount(editable);
            }
        }
    }

    private static void item(ArrayNode items, String path, String annotation) {
        items.addObject().put("path", path).putObject("fieldRef").put("fieldPath", Json.annotation(annotation));
    }

    private static void mount(ObjectNode container) {
        ArrayNode mounts = Json.array(container, "volumeMounts");
        if (Json.names(mounts, "mountPath", FOLDER)) {
            return;
        }
        mounts.addObject().put("name", NAME).put("mountPath", FOLDER).put("readOnly", true);
        ArrayNode env = Json.array(container, "env");
        tell(env, "LIGHTPATH_FILE", FOLDER + "/light.json");
        tell(env, "LIGHTPATH_HOSTFILE", FOLDER + "/hostfile");
    }

    private static void tell(ArrayNode env, String name, String value) {
        if (!Json.names(env, "name", name)) {
            env.addObject().put("name", name).put("value", value);
        }
    }
}
