package dev.lightpath.reading.node;

import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.fabric.OcsTrx;
import dev.lightpath.crds.fabric.policy.FabricPolicy;
import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.world.RingNode;
import dev.lightpath.reading.label.Labels;
import io.fabric8.kubernetes.api.model.Node;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What was read of the Nodes of one fabric of transceivers. A Node is read again only when it or the fabric's
 * description changed, because of ten thousand mostly one did, and a repair waits until all are read. Holds no Node
 * itself. Serves one thread.
 */
public final class RingNodes {
    /**
     * The content of one Node.
     *
     * @param position empty when it is not selected, or its label is no position
     * @param astray its label when it is selected and that is no position
     * @param tor its rack label
     * @param free the node while no other pods hold GPUs of it; the same object as long as the Node's content is the
     *     same, by which a pass sees that nothing changed
     * @param busy the same node while pods of others hold GPUs of it
     */
    public record Reading(
            String name,
            OptionalInt position,
            Optional<String> astray,
            Optional<String> tor,
            Optional<RingNode> free,
            Optional<RingNode> busy) {
        private static Reading of(Node node, OcsTrx spec, FabricPolicy policy) {
            String name = node.getMetadata().getName();
            boolean selected = Labels.selected(node, spec.nodeSelector());
            OptionalInt position = selected ? PositionLabels.position(node, spec) : OptionalInt.empty();
            if (position.isEmpty()) {
                Optional<String> astray = selected ? Labels.label(node, spec.positionLabel()) : Optional.empty();
                return new Reading(name, position, astray, Optional.empty(), Optional.empty(), Optional.empty());
            }
            Duration hold = Duration.ofMillis(policy.faults().holdMillis());
            boolean cordoned =
                    node.getSpec() != null && Boolean.TRUE.equals(node.getSpec().getUnschedulable());
            List<Signal> signals = NodeSignals.of(
                    node, policy.faults().nodeConditions(), spec.gpuResource(), spec.gpusPerNode(), hold);
            boolean schedulable = !cordoned && node.getMetadata().getDeletionTimestamp() == null;
            Optional<Instant> clearedAt = Labels.moment(node, LightpathAnnotations.CLEAR_FAULT);
            int at = position.getAsInt();
            return new Reading(
                    name,
                    position,
                    Optional.empty(),
                    Optional.ofNullable(spec.torLabel()).flatMap(label -> Labels.label(node, label)),
                    Optional.of(new RingNode(name, at, signals, schedulable, false, clearedAt)),
                    Optional.of(new RingNode(name, at, signals, schedulable, true, clearedAt)));
        }

        /**
         * The node at its position, if it has one.
         *
         * @param busyNodes names of nodes of which pods of others hold GPUs
         */
        public Optional<RingNode> seated(Set<String> busyNodes) {
            return busyNodes.contains(name) ? busy : free;
        }
    }

    /**
     * The content of all Nodes.
     *
     * @param at nodes that claim a position, by position
     * @param astray labels that are no position, by name
     */
    public record Seats(SortedMap<Integer, List<Reading>> at, SortedMap<String, String> astray) {}

    private @Nullable OcsTrx spec;
    private @Nullable FabricPolicy policy;
    private Map<String, Reading> readings = new HashMap<>();

    /** These may be others than those that were read. */
    public void forget(Collection<String> names) {
        names.forEach(readings::remove);
    }

    /** Where they are. O(nodes), and a closer look at those that are not remembered; others are forgotten. */
    public Seats seated(Collection<Node> nodes, OcsTrx ofSpec, FabricPolicy ofPolicy) {
        if (!ofSpec.equals(spec) || !ofPolicy.equals(policy)) {
            readings = new HashMap<>();
            spec = ofSpec;
            policy = ofPolicy;
        }
        Map<String, Reading> now = HashMap.newHashMap(nodes.size());
        Seats seats = new Seats(new TreeMap<>(), new TreeMap<>());
        for (Node node : nodes) {
            Reading before = readings.get(node.getMetadata().getName());
            Reading reading = before == null ? Reading.of(node, ofSpec, ofPolicy) : before;
            now.put(reading.name(), reading);
            reading.position()
                    .ifPresent(position -> seats.at()
                            .computeIfAbsent(position, at -> new ArrayList<>(1))
                            .add(reading));
            reading.astray().ifPresent(label -> seats.astray().put(reading.name(), label));
        }
        readings = now;
        return seats;
    }
}
