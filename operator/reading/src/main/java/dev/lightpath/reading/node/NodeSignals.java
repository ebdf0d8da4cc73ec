package dev.lightpath.reading.node;

import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.reading.label.Labels;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What looks wrong with a Node by what Kubernetes, its detectors and people say (spec: faults, 1). */
public final class NodeSignals {
    private static final String READY = "Ready";
    private static final String NOT_READY_TAINT = "node.kubernetes.io/not-ready";
    private static final String UNREACHABLE_TAINT = "node.kubernetes.io/unreachable";

    private NodeSignals() {}

    /**
     * @param conditions types that mean a fault when True
     * @param gpuResource counts the GPUs of a node
     * @param gpus what must be allocatable of it
     * @param hold of signals that Kubernetes has not debounced
     */
    public static List<Signal> of(
            Node node, Collection<String> conditions, String gpuResource, int gpus, Duration hold) {
        Subject subject = new Subject.OfNode(node.getMetadata().getName());
        List<Signal> signals = new ArrayList<>();
        readiness(node).ifPresent(reason -> signals.add(new Signal(subject, reason, Duration.ZERO)));
        for (NodeCondition condition : conditions(node)) {
            if (conditions.contains(condition.getType()) && "True".equals(condition.getStatus())) {
                signals.add(new Signal(subject, condition.getType(), Duration.ZERO));
            }
        }
        Labels.annotation(node, LightpathAnnotations.FAULTY)
                .ifPresent(words ->
                        signals.add(new Signal(subject, "DeclaredFaulty", Duration.ZERO).remarked(Remark.of(words))));
        if (allocatable(node, gpuResource).compareTo(BigDecimal.valueOf(gpus)) < 0) {
            signals.add(new Signal(subject, "GpusMissing", hold));
        }
        return List.copyOf(signals);
    }

    /** A Node whose kubelet never reported is as unknown as one that fell silent. */
    private static Optional<String> readiness(Node node) {
        String ready = conditions(node).stream()
                .filter(condition -> READY.equals(condition.getType()))
                .map(NodeCondition::getStatus)
                .findFirst()
                .orElse("Unknown");
        if ("True".equals(ready)) {
            return taint(node, UNREACHABLE_TAINT)
                    ? Optional.of("NodeUnreachable")
                    : taint(node, NOT_READY_TAINT) ? Optional.of("NodeNotReady") : Optional.empty();
        }
        return Optional.of("False".equals(ready) ? "NodeNotReady" : "NodeUnreachable");
    }

    private static boolean taint(Node node, String key) {
        List<Taint> taints = node.getSpec() == null ? null : node.getSpec().getTaints();
        return taints != null && taints.stream().anyMatch(taint -> key.equals(taint.getKey()));
    }

    private static List<NodeCondition> conditions(Node node) {
        return node.getStatus() == null || node.getStatus().getConditions() == null
                ? List.of()
                : node.getStatus().getConditions();
    }

    private static BigDecimal allocatable(Node node, String resource) {
        Map<String, Quantity> allocatable =
                node.getStatus() == null ? null : node.getStatus().getAllocatable();
        Quantity quantity = allocatable == null ? null : allocatable.get(resource);
        return quantity == null ? BigDecimal.ZERO : quantity.getNumericalAmount();
    }
}
