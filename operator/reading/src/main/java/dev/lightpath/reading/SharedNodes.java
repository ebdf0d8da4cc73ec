package dev.lightpath.reading;

import dev.lightpath.crds.fabric.OcsTrx;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.reading.label.Labels;
import dev.lightpath.reading.node.PositionLabels;
import io.fabric8.kubernetes.api.model.Node;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A node has one set of transceivers, so it is of one fabric: of two that claim it, the older has it. */
public final class SharedNodes {
    private record Seat(int position, String node) {}

    private SharedNodes() {}

    /**
     * Fabrics of transceivers that claim a node of an older one, each with the reason for a person. What is refused
     * claims nothing. O(fabrics * nodes); constant when there are no two.
     */
    public static Map<String, String> refused(Collection<OpticalFabric> fabrics, Collection<Node> nodes) {
        if (fabrics.stream().filter(fabric -> fabric.getSpec().ocsTrx() != null).count() < 2) {
            return Map.of();
        }
        Map<String, String> owners = new HashMap<>();
        Map<String, String> refused = new TreeMap<>();
        for (OpticalFabric fabric : Seniority.oldestFirst(fabrics)) {
            String name = fabric.getMetadata().getName();
            OcsTrx spec = fabric.getSpec().ocsTrx();
            if (spec == null) {
                continue;
            }
            List<String> claimed = claimed(spec, nodes);
            List<String> shared = claimed.stream().filter(owners::containsKey).toList();
            if (shared.isEmpty()) {
                claimed.forEach(node -> owners.put(node, name));
            } else {
                refused.put(name, why(shared, owners.getOrDefault(shared.getFirst(), "")));
            }
        }
        return refused;
    }

    private static String why(List<String> shared, String owner) {
        String nodes = shared.size() == 1
                ? "node " + shared.getFirst() + " belongs"
                : "nodes " + shared.getFirst() + ".." + shared.getLast() + " (" + shared.size() + ") belong";
        return nodes + " to fabric " + owner
                + " too, which is older: nothing is read or written for this one; select other"
                + " nodes with spec.ocsTrx.nodeSelector or positionLabel, or delete one of the two";
    }

    /** Names of the nodes that the fabric selects and that have a position on it, in the order of positions. */
    private static List<String> claimed(OcsTrx spec, Collection<Node> nodes) {
        List<Seat> seats = new ArrayList<>();
        for (Node node : nodes) {
            if (Labels.selected(node, spec.nodeSelector())) {
                PositionLabels.position(node, spec)
                        .ifPresent(position ->
                                seats.add(new Seat(position, node.getMetadata().getName())));
            }
        }
        seats.sort(Comparator.comparingInt(Seat::position).thenComparing(Seat::node));
        return seats.stream().map(Seat::node).toList();
    }
}
