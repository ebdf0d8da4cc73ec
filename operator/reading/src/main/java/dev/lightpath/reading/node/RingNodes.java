package dev.lightpath.reading.node;

import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.fabric.OcsTrx;
import dev.lightpath.crds.fabric.policy.FabricPolicy;
import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.memory.FixedMap;
import dev.lightpath.planner.ring.RingFabric;
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
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What was read of the Nodes of one fabric of transceivers. A Node is read again only when it or the fabric's
 * description changed, because of ten thousand mostly one did, and a repair waits until all are read. While none comes,
 * goes or moves, all others are not even gone through. Holds no Node itself. Serves one thread.
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
     * The content of all Nodes. Not to be changed, and of the moment: it follows what changes.
     *
     * @param at nodes that claim a position, by position
     * @param astray labels that are no position, by name
     */
    public record Seats(SortedMap<Integer, List<Reading>> at, SortedMap<String, String> astray) {}

    /**
     * What follows from where nodes are.
     *
     * @param nodes those that have their position to themselves
     * @param miswired names of nodes that share a position, by position
     * @param astray what is wrong with labels that are no position, by name of the node
     * @param mismatch what is wrong with the labels of racks
     */
    public record Layout(
            RingFabric ring,
            Set<String> busyNodes,
            SortedMap<Integer, RingNode> nodes,
            SortedMap<Integer, List<String>> miswired,
            SortedMap<String, String> astray,
            Optional<String> mismatch) {}

    private @Nullable OcsTrx spec;
    private @Nullable FabricPolicy policy;
    private Map<String, Reading> readings = new HashMap<>();
    /** Null when all have to be looked at: as long as none comes, goes or moves they stay. */
    private @Nullable Seats seats;

    private @Nullable Layout layout;
    /** Those that are others than in the layout, by position. */
    private final Map<Integer, Reading> others = new HashMap<>();

    /** These are as told now, or gone; all others are as they were read. */
    public void changed(Map<String, Optional<Node>> nodes) {
        nodes.forEach((name, now) -> now.ifPresentOrElse(node -> replace(name, node), () -> remove(name)));
    }

    private void remove(String name) {
        if (readings.remove(name) != null) {
            seats = null;
        }
    }

    private void replace(String name, Node node) {
        Reading before = readings.remove(name);
        Seats known = seats;
        if (before == null || known == null || spec == null || policy == null) {
            seats = null;
            return;
        }
        Reading now = Reading.of(node, spec, policy);
        if (!now.position().equals(before.position())
                || !now.astray().equals(before.astray())
                || !now.tor().equals(before.tor())) {
            seats = null;
            return;
        }
        readings.put(name, now);
        now.position().ifPresent(position -> {
            List<Reading> here = Objects.requireNonNull(known.at().get(position));
            here.replaceAll(reading -> reading.name().equals(name) ? now : reading);
            if (here.size() == 1) {
                others.put(position, now);
            }
        });
    }

    /** Where they are. Constant if none came, went or moved, else O(nodes), and others than these are forgotten. */
    public Seats seated(Collection<Node> nodes, OcsTrx ofSpec, FabricPolicy ofPolicy) {
        if (!ofSpec.equals(spec) || !ofPolicy.equals(policy)) {
            readings = new HashMap<>();
            seats = null;
            spec = ofSpec;
            policy = ofPolicy;
        }
        if (seats != null) {
            return seats;
        }
        Map<String, Reading> now = HashMap.newHashMap(nodes.size());
        Seats found = new Seats(new TreeMap<>(), new TreeMap<>());
        for (Node node : nodes) {
            Reading before = readings.get(node.getMetadata().getName());
            Reading reading = before == null ? Reading.of(node, ofSpec, ofPolicy) : before;
            now.put(reading.name(), reading);
            reading.position()
                    .ifPresent(position -> found.at()
                            .computeIfAbsent(position, at -> new ArrayList<>(1))
                            .add(reading));
            reading.astray().ifPresent(label -> found.astray().put(reading.name(), label));
        }
        readings = now;
        layout = null;
        seats = found;
        return found;
    }

    /**
     * What follows from where they were {@link #seated} last. O(nodes), or as many as are others than before where none
     * came, went or moved.
     */
    public Layout laidOut(RingFabric ring, Set<String> busyNodes) {
        Layout last = layout;
        Layout next =
                last != null && last.ring().equals(ring) && last.busyNodes().equals(busyNodes)
                        ? patched(last)
                        : laidOutAnew(ring, busyNodes);
        others.clear();
        layout = next;
        return next;
    }

    private Layout patched(Layout last) {
        Map<Integer, RingNode> nodes = new HashMap<>();
        others.forEach((position, reading) -> {
            if (position < last.ring().positions()) {
                reading.seated(last.busyNodes()).ifPresent(node -> nodes.put(position, node));
            }
        });
        return nodes.isEmpty()
                ? last
                : new Layout(
                        last.ring(),
                        last.busyNodes(),
                        FixedMap.replacing(last.nodes(), nodes),
                        last.miswired(),
                        last.astray(),
                        last.mismatch());
    }

    private Layout laidOutAnew(RingFabric ring, Set<String> busyNodes) {
        OcsTrx of = Objects.requireNonNull(spec);
        Seats here = Objects.requireNonNull(seats);
        SortedMap<Integer, RingNode> single = new TreeMap<>();
        SortedMap<Integer, List<String>> miswired = new TreeMap<>();
        here.at().headMap(ring.positions()).forEach((position, claimants) -> {
            if (claimants.size() == 1) {
                claimants.getFirst().seated(busyNodes).ifPresent(node -> single.put(position, node));
            } else {
                miswired.put(
                        position, claimants.stream().map(Reading::name).sorted().toList());
            }
        });
        return new Layout(
                ring,
                busyNodes,
                FixedMap.copyOf(single),
                miswired,
                PositionLabels.astray(ring, of, here),
                TorLabels.mismatch(ring, of, here.at()));
    }
}
