package dev.lightpath.app.job.workload;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lightpath.app.job.facts.RankedNode;
import dev.lightpath.crds.LightpathLabels;
import dev.lightpath.crds.LightpathNames;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.NodeAffinity;
import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The JSON patch (RFC 6902) that lets a pod go to its node: pinned by the node's name, marked with its place, only our
 * gate removed. It holds for the pod as it was read: if that changed meanwhile the API server refuses all of it.
 */
public final class PodPatch {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String AFFINITY = "/spec/affinity";
    private static final String NODE_AFFINITY = AFFINITY + "/nodeAffinity";
    private static final String REQUIRED = NODE_AFFINITY + "/requiredDuringSchedulingIgnoredDuringExecution";

    private final ArrayNode operations = JSON.arrayNode();

    private PodPatch() {}

    /**
     * Empty when the pod does not wait behind our gate.
     *
     * @param notes annotations of the pod from then on
     */
    public static Optional<String> ungate(
            Pod pod, String job, RankedNode place, int attempt, SortedMap<String, String> notes) {
        int gate = gate(pod);
        if (gate < 0) {
            return Optional.empty();
        }
        PodPatch patch = new PodPatch();
        patch.test("/metadata/resourceVersion", pod.getMetadata().getResourceVersion());
        String path = "/spec/schedulingGates/" + gate;
        patch.test(path + "/name", LightpathNames.SCHEDULING_GATE);
        patch.pin(pod, place.node());
        patch.mark(
                "/metadata/labels",
                pod.getMetadata().getLabels(),
                Map.of(LightpathLabels.JOB, job, LightpathLabels.ATTEMPT, Integer.toString(attempt)));
        patch.mark("/metadata/annotations", pod.getMetadata().getAnnotations(), notes);
        patch.operations.addObject().put("op", "remove").put("path", path);
        return Optional.of(patch.operations.toString());
    }

    /** Lets a pod go that needs no light: wherever it may run. Empty when it does not wait behind our gate. */
    public static Optional<String> free(Pod pod) {
        int gate = gate(pod);
        if (gate < 0) {
            return Optional.empty();
        }
        PodPatch patch = new PodPatch();
        String path = "/spec/schedulingGates/" + gate;
        patch.test(path + "/name", LightpathNames.SCHEDULING_GATE);
        patch.operations.addObject().put("op", "remove").put("path", path);
        return Optional.of(patch.operations.toString());
    }

    /** Position of our gate, -1 without it. */
    static int gate(Pod pod) {
        List<PodSchedulingGate> gates = pod.getSpec().getSchedulingGates();
        for (int i = 0; i < gates.size(); i++) {
            if (LightpathNames.SCHEDULING_GATE.equals(gates.get(i).getName())) {
                return i;
            }
        }
        return -1;
    }

    private void pin(Pod pod, String node) {
        @Nullable Affinity affinity = pod.getSpec().getAffinity();
        @Nullable NodeAffinity nodes = affinity == null ? null : affinity.getNodeAffinity();
        @Nullable
        NodeSelector required = nodes == null ? null : nodes.getRequiredDuringSchedulingIgnoredDuringExecution();
        if (affinity == null) {
            operations.add(operation("add", AFFINITY).set("value", JSON.objectNode()));
        }
        if (nodes == null) {
            operations.add(operation("add", NODE_AFFINITY).set("value", JSON.objectNode()));
        }
        if (required == null || required.getNodeSelectorTerms().isEmpty()) {
            ObjectNode selector = JSON.objectNode();
            selector.putArray("nodeSelectorTerms")
                    .addObject()
                    .putArray("matchFields")
                    .add(named(node));
            operations.add(operation("add", REQUIRED).set("value", selector));
            return;
        }
        List<NodeSelectorTerm> terms = required.getNodeSelectorTerms();
        for (int i = 0; i < terms.size(); i++) {
            String fields = REQUIRED + "/nodeSelectorTerms/" + i + "/matchFields";
            boolean none = terms.get(i).getMatchFields().isEmpty();
            if (!none) {
                operations.add(operation("add", fields + "/-").set("value", named(node)));
            } else if (!terms.get(i).getMatchExpressions().isEmpty()) {
                operations.add(
                        operation("add", fields).set("value", JSON.arrayNode().add(named(node))));
            }
            // a term without any requirement matches no node; with ours it would begin to match
        }
    }

    private void mark(String path, @Nullable Map<String, String> there, Map<String, String> added) {
        if (there == null || there.isEmpty()) {
            ObjectNode all = JSON.objectNode();
            new TreeMap<>(added).forEach(all::put);
            operations.add(operation("add", path).set("value", all));
            return;
        }
        new TreeMap<>(added)
                .forEach((key, value) -> operations.add(
                        operation("add", path + "/" + escaped(key)).put("value", value)));
    }

    private void test(String path, String value) {
        operations.add(operation("test", path).put("value", value));
    }

    private static ObjectNode operation(String name, String path) {
        return JSON.objectNode().put("op", name).put("path", path);
    }

    private static ObjectNode named(String node) {
        ObjectNode field = JSON.objectNode().put("key", "metadata.name").put("operator", "In");
        field.putArray("values").add(node);
        return field;
    }

    private static String escaped(String key) {
        return key.replace("~", "~0").replace("/", "~1");
    }
}
