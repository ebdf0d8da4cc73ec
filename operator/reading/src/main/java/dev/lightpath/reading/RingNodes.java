package dev.lightpath.reading;

import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.fabric.FabricPolicy;
import dev.lightpath.crds.fabric.OcsTrx;
import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.world.RingNode;
import io.fabric8.kubernetes.api.model.Node;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What was read of the Nodes of one fabric, as long as neither they nor the fabric's description changed: of ten thousand nodes
 * mostly one is another, and a repair waits until all are read. A watch shows a changed object as another one. Serves one thread.
 */
public final class RingNodes {
    /**
     * What one Node says.
     *
     * @param position empty when it is not selected, or its label is no position
     */
    record Reading(
            Node node, OptionalInt position, List<Signal> signals, boolean schedulable, Optional<Instant> clearedAt) {
        static Reading of(Node node, OcsTrx spec, FabricPolicy policy) {
            OptionalInt position = Labels.selected(node, spec.nodeSelector())
                    ? RingIntentReader.position(node, spec)
                    : OptionalInt.empty();
            if (position.isEmpty()) {
                return new Reading(node, position, List.of(), false, Optional.empty());
            }
            Duration hold = Duration.ofMillis(policy.faults().holdMillis());
            boolean cordoned =
                    node.getSpec() != null && Boolean.TRUE.equals(node.getSpec().getUnschedulable());
            return new Reading(
                    node,
                    position,
                    NodeSignals.of(
                            node, policy.faults().nodeConditions(), spec.gpuResource(), spec.gpusPerNode(), hold),
                    !cordoned && node.getMetadata().getDeletionTimestamp() == null,
                    Labels.moment(node, LightpathAnnotations.CLEAR_FAULT));
        }

        String name() {
            return node.getMetadata().getName();
        }

        /** @param busy names of nodes of which pods of others hold GPUs */
        RingNode at(int position, Set<String> busy) {
            return new RingNode(name(), position, signals, schedulable, busy.contains(name()), clearedAt);
        }
    }

    private @Nullable OcsTrx spec;
    private @Nullable FabricPolicy policy;
    /** By the objects themselves, not by what they say. */
    private Map<Node, Reading> readings = new IdentityHashMap<>();

    /** Those that have a position, by position. O(nodes), and a closer look at those that are not remembered; others are forgotten. */
    SortedMap<Integer, List<Reading>> seated(Collection<Node> nodes, OcsTrx ofSpec, FabricPolicy ofPolicy) {
        if (!ofSpec.equals(spec) || !ofPolicy.equals(policy)) {
            readings = new IdentityHashMap<>();
            spec = ofSpec;
            policy = ofPolicy;
        }
        Map<Node, Reading> now = new IdentityHashMap<>(nodes.size());
        SortedMap<Integer, List<Reading>> seated = new TreeMap<>();
        for (Node node : nodes) {
            Reading before = readings.get(node);
            Reading reading = before == null ? Reading.of(node, ofSpec, ofPolicy) : before;
            now.put(node, reading);
            reading.position()
                    .ifPresent(position -> seated.computeIfAbsent(position, at -> new ArrayList<>(1))
                            .add(reading));
        }
        readings = now;
        return seated;
    }
}
