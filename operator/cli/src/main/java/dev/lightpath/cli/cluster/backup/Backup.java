package dev.lightpath.cli.cluster.backup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.reading.label.LabelSelection;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A List of objects as kubectl takes it: without what belongs to one API server, with statuses, because the ledger is
 * one. Slices keep the UID of their job; of Nodes only names, labels that fabrics read and what people said stand
 * there.
 */
record Backup(KubernetesSerialization serialization, ObjectNode list) {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final List<String> OF_ONE_SERVER =
            List.of("resourceVersion", "managedFields", "generation", "selfLink");

    /** @param serialization that reads and writes objects as deep as the API server takes them */
    static Backup of(
            KubernetesSerialization serialization,
            List<OpticalFabric> fabrics,
            List<OpticalSwitch> switches,
            List<TrainingJob> jobs,
            List<FabricSlice> slices,
            List<Node> nodes,
            Optional<ConfigMap> epoch) {
        ObjectNode list = MAPPER.createObjectNode();
        list.put("apiVersion", "v1");
        list.put("kind", "List");
        ArrayNode items = list.putArray("items");
        epoch.ifPresent(counter -> items.add(portable(serialization, counter)));
        for (Collection<? extends HasMetadata> kind : List.of(fabrics, switches, jobs, slices)) {
            kind.forEach(object -> items.add(portable(serialization, object)));
        }
        nodes.stream().filter(node -> isOfAny(node, fabrics)).forEach(node -> items.add(sketch(node)));
        return new Backup(serialization, list);
    }

    String yaml() {
        return serialization.asYaml(list);
    }

    private static JsonNode portable(KubernetesSerialization serialization, HasMetadata object) {
        ObjectNode json = serialization.convertValue(object, ObjectNode.class);
        ((ObjectNode) json.get("metadata")).remove(OF_ONE_SERVER);
        return json;
    }

    private static JsonNode sketch(Node node) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("apiVersion", "v1");
        json.put("kind", "Node");
        ObjectNode metadata = json.putObject("metadata");
        metadata.put("name", node.getMetadata().getName());
        metadata.set("labels", MAPPER.valueToTree(node.getMetadata().getLabels()));
        Map<String, String> annotations = node.getMetadata().getAnnotations();
        SortedMap<String, String> ours = new TreeMap<>(annotations == null ? Map.of() : annotations);
        ours.keySet().removeIf(key -> !key.startsWith("lightpath.dev/"));
        if (!ours.isEmpty()) {
            metadata.set("annotations", MAPPER.valueToTree(ours));
        }
        return json;
    }

    private static boolean isOfAny(Node node, List<OpticalFabric> fabrics) {
        Map<String, String> labels = node.getMetadata().getLabels();
        return labels != null
                && fabrics.stream().anyMatch(fabric -> {
                    var ring = fabric.getSpec().ocsTrx();
                    var ocs = fabric.getSpec().ocs();
                    return ring != null
                                    && labels.containsKey(ring.positionLabel())
                                    && LabelSelection.matches(ring.nodeSelector(), labels)
                            || ocs != null && labels.containsKey(ocs.podLabel());
                });
    }
}
