package dev.lightpath.app.publish.node;

import dev.lightpath.app.publish.status.Outcome;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.world.RingNode;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All that {@link NodeVerdict}s follow from, so that thousands of nodes need not be gone through after passes that say
 * the same of them.
 *
 * @param complete false while some fabric cannot be read: whose nodes are its is not known then
 */
record NodeGrounds(SortedMap<String, OfRing> rings, boolean complete) {
    /**
     * @param nodes read anew whenever one of them changes, and the same object until then
     * @param synced whether anything is known of them
     */
    record OfRing(
            SortedMap<Integer, RingNode> nodes,
            SortedMap<Integer, List<String>> miswired,
            SortedMap<String, String> astray,
            boolean synced,
            List<Fault> faults) {
        /** Cheap where nothing was read anew. */
        private boolean isLike(OfRing other) {
            return nodes == other.nodes
                    && miswired == other.miswired
                    && astray == other.astray
                    && synced == other.synced
                    && faults.equals(other.faults);
        }
    }

    /** O(rings). */
    static NodeGrounds of(Outcome outcome) {
        SortedMap<String, OfRing> rings = new TreeMap<>();
        outcome.world().rings().forEach((name, ring) -> {
            var verdict = outcome.deliberation().fabrics().get(name);
            rings.put(
                    name,
                    new OfRing(
                            ring.nodes(),
                            ring.miswired(),
                            ring.astray(),
                            outcome.world().driver(ring.driver()).synced(),
                            verdict == null ? List.of() : verdict.faults()));
        });
        return new NodeGrounds(rings, outcome.world().unreadable().fabrics().isEmpty());
    }

    /** Nodes of which some ring says that they are its, rightly or not. Linear. */
    Set<String> members() {
        Set<String> members = new HashSet<>();
        for (OfRing ring : rings.values()) {
            ring.nodes().values().forEach(node -> members.add(node.name()));
            ring.miswired().values().forEach(members::addAll);
            members.addAll(ring.astray().keySet());
        }
        return members;
    }

    /** Whether verdicts are the same for certain. O(faults). */
    boolean areLike(NodeGrounds others) {
        if (complete != others.complete || !rings.keySet().equals(others.rings.keySet())) {
            return false;
        }
        for (Map.Entry<String, OfRing> each : rings.entrySet()) {
            OfRing other = others.rings.get(each.getKey());
            if (other == null || !each.getValue().isLike(other)) {
                return false;
            }
        }
        return true;
    }
}
