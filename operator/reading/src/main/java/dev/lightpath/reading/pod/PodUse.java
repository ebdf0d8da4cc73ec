package dev.lightpath.reading.pod;

import static java.util.Objects.requireNonNullElse;

import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.LightpathLabels;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.reading.label.Labels;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The extract of a pod for the planner; nothing else of it is kept.
 *
 * @param job the label {@code lightpath.dev/job}
 * @param attempt the label {@code lightpath.dev/attempt}
 * @param node where it runs or is pinned to, empty while neither
 * @param bound whether it is at that node, or a scheduler has said so: it has the node's devices
 * @param gated whether it still waits for its circuits
 * @param phase as Kubernetes says
 * @param terminating whether it is being deleted
 * @param rank the annotation {@code lightpath.dev/rank}
 * @param resources extended resources of which a container of it requests at least one. The scheduler counts requests
 *     of init containers as long as the pod exists
 * @param controller its controller; empty for a pod that was made by hand
 */
public record PodUse(
        String namespace,
        Optional<String> job,
        Optional<String> attempt,
        Optional<String> node,
        boolean bound,
        boolean gated,
        String phase,
        boolean terminating,
        OptionalInt rank,
        SortedSet<String> resources,
        Optional<Controller> controller) {
    public PodUse {
        resources = Collections.unmodifiableSortedSet(new TreeSet<>(resources));
    }

    public static PodUse of(Pod pod) {
        boolean gated = pod.getSpec().getSchedulingGates() != null
                && pod.getSpec().getSchedulingGates().stream()
                        .anyMatch(gate -> LightpathNames.SCHEDULING_GATE.equals(gate.getName()));
        String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
        return new PodUse(
                pod.getMetadata().getNamespace(),
                Labels.label(pod, LightpathLabels.JOB),
                Labels.label(pod, LightpathLabels.ATTEMPT),
                Optional.ofNullable(pod.getSpec().getNodeName()).or(() -> pinned(pod)),
                pod.getSpec().getNodeName() != null,
                gated,
                phase == null ? "Pending" : phase,
                pod.getMetadata().getDeletionTimestamp() != null,
                Labels.annotation(pod, LightpathAnnotations.RANK)
                        .filter(rank -> rank.matches("[0-9]{1,9}"))
                        .map(rank -> OptionalInt.of(Integer.parseInt(rank)))
                        .orElseGet(OptionalInt::empty),
                resources(pod),
                Controller.of(pod));
    }

    public boolean failed() {
        return "Failed".equals(phase);
    }

    boolean ended() {
        return failed() || "Succeeded".equals(phase);
    }

    /** Whether it holds its node: un-gated, placed and not ended. */
    public boolean occupies() {
        return node.isPresent() && !gated && !ended();
    }

    /**
     * Whether it holds devices of its node, such as GPUs, or will once the scheduler handles it, because it was ungated
     * for that node. A pod that is only pinned may wait for ever: every tenant can pin pods.
     */
    public boolean claimsDevices() {
        return (bound || wasLetGo()) && occupies() && !resources.isEmpty();
    }

    /**
     * Whether it was ungated for its node in an attempt, and has not ended: its annotations name the attempt and its
     * rank.
     */
    public boolean wasLetGo() {
        return occupies() && rank.isPresent() && attempt.isPresent();
    }

    public boolean wasLetGo(String inTheLightOf) {
        return wasLetGo() && attempt.filter(inTheLightOf::equals).isPresent();
    }

    /** The same pod without proof that the operator ungated it: every tenant can write a rank. */
    public PodUse unproven() {
        return new PodUse(
                namespace,
                job,
                attempt,
                node,
                bound,
                gated,
                phase,
                terminating,
                OptionalInt.empty(),
                resources,
                controller);
    }

    private static SortedSet<String> resources(Pod pod) {
        SortedSet<String> resources = new TreeSet<>();
        List<Container> containers = new ArrayList<>();
        containers.addAll(requireNonNullElse(pod.getSpec().getInitContainers(), List.of()));
        containers.addAll(requireNonNullElse(pod.getSpec().getContainers(), List.of()));
        for (Container container : containers) {
            Map<String, Quantity> requests = container.getResources() == null
                    ? null
                    : container.getResources().getRequests();
            if (requests == null) {
                continue;
            }
            requests.forEach((resource, amount) -> {
                if (resource.contains("/") && amount.getNumericalAmount().signum() > 0) {
                    resources.add(resource);
                }
            });
        }
        return resources;
    }

    /** The one node that every term of its affinity names. */
    private static Optional<String> pinned(Pod pod) {
        Affinity affinity = pod.getSpec().getAffinity();
        if (affinity == null
                || affinity.getNodeAffinity() == null
                || affinity.getNodeAffinity().getRequiredDuringSchedulingIgnoredDuringExecution() == null) {
            return Optional.empty();
        }
        SortedSet<String> names = new TreeSet<>();
        for (NodeSelectorTerm term : affinity.getNodeAffinity()
                .getRequiredDuringSchedulingIgnoredDuringExecution()
                .getNodeSelectorTerms()) {
            for (NodeSelectorRequirement field : term.getMatchFields()) {
                if ("metadata.name".equals(field.getKey()) && "In".equals(field.getOperator())) {
                    names.addAll(field.getValues());
                }
            }
        }
        return names.size() == 1 ? Optional.of(names.first()) : Optional.empty();
    }
}
