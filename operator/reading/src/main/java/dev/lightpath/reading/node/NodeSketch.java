package dev.lightpath.reading.node;

import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.LightpathLabels;
import dev.lightpath.crds.NodeConditionType;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What of a Node matters to the planner: a heartbeat leaves it equal, and so does what we write there ourselves. */
public record NodeSketch(
        Map<String, String> labels,
        Map<String, String> annotations,
        boolean cordoned,
        boolean deleting,
        SortedSet<String> taints,
        Map<String, Quantity> allocatable,
        SortedMap<String, String> conditions,
        String address) {

    /** Conditions, annotations and labels that are ours to write. */
    private static final Set<String> OURS = Set.of(
            NodeConditionType.OPTICAL_FABRIC_READY.word(),
            NodeConditionType.OPTICAL_LINK_DEGRADED.word(),
            LightpathAnnotations.DARK_UNTIL,
            LightpathLabels.TOPOLOGY_SCALE_UP,
            LightpathLabels.TOPOLOGY_STRETCH,
            LightpathLabels.TOPOLOGY_SCALE_OUT,
            LightpathLabels.TOPOLOGY_POD);

    public static NodeSketch of(Node node) {
        SortedSet<String> taints = new TreeSet<>();
        boolean cordoned = false;
        if (node.getSpec() != null) {
            cordoned = Boolean.TRUE.equals(node.getSpec().getUnschedulable());
            for (Taint taint : node.getSpec().getTaints() == null
                    ? List.<Taint>of()
                    : node.getSpec().getTaints()) {
                taints.add(taint.getKey());
            }
        }
        SortedMap<String, String> conditions = new TreeMap<>();
        Map<String, Quantity> allocatable = Map.of();
        if (node.getStatus() != null) {
            if (node.getStatus().getAllocatable() != null) {
                allocatable = node.getStatus().getAllocatable();
            }
            for (NodeCondition condition : node.getStatus().getConditions()) {
                if (!OURS.contains(condition.getType())) {
                    conditions.put(condition.getType(), condition.getStatus());
                }
            }
        }
        return new NodeSketch(
                others(orEmpty(node.getMetadata().getLabels())),
                others(orEmpty(node.getMetadata().getAnnotations())),
                cordoned,
                node.getMetadata().getDeletionTimestamp() != null,
                taints,
                allocatable,
                conditions,
                AgentTemplate.internalAddress(node).orElse(""));
    }

    private static Map<String, String> others(Map<String, String> all) {
        Map<String, String> others = new TreeMap<>(all);
        others.keySet().removeAll(OURS);
        return others;
    }

    private static Map<String, String> orEmpty(@org.jspecify.annotations.Nullable Map<String, String> map) {
        return map == null ? Map.of() : map;
    }
}
