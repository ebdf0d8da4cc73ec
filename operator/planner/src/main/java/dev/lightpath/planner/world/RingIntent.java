package dev.lightpath.planner.world;

import dev.lightpath.planner.fault.RecordedFaults;
import dev.lightpath.planner.memory.FixedMap;
import dev.lightpath.planner.ring.RingFabric;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A fabric of OCS transceivers on a ring or line, as its administrator describes it and its nodes are labelled.
 *
 * @param name of the OpticalFabric
 * @param ring its geometry
 * @param driver endpoint of the driver server of its transceivers
 * @param role under which the driver holds its circuits: cluster and fabric
 * @param nodes by position; a position without a node is faulty
 * @param miswired positions that several nodes claim, with their names; none of them may be used
 * @param astray selected nodes whose label is no position, by name, each with one line for a person
 * @param policy what the administrator allows
 * @param paused read, plan and report, but change no circuit
 * @param resumedAt when a person last resumed it after a mass failure
 * @param retiring whether the fabric is being deleted: nothing new is placed
 * @param torMismatch how the racks of the nodes' labels contradict those that follow from their positions; placement
 *     uses the latter; empty when they agree
 * @param quarantinedPorts device/port of slices released by force, not yet read back dark
 * @param recordedFaults faults that an earlier process recorded
 */
public record RingIntent(
        String name,
        RingFabric ring,
        String driver,
        String role,
        SortedMap<Integer, RingNode> nodes,
        SortedMap<Integer, List<String>> miswired,
        SortedMap<String, String> astray,
        FabricPolicy policy,
        boolean paused,
        Optional<Instant> resumedAt,
        boolean retiring,
        Optional<String> torMismatch,
        SortedSet<String> quarantinedPorts,
        RecordedFaults recordedFaults)
        implements FabricIntent {
    /** A fabric with correct labels, without recorded faults or quarantine. */
    public RingIntent(
            String name,
            RingFabric ring,
            String driver,
            String role,
            SortedMap<Integer, RingNode> nodes,
            SortedMap<Integer, List<String>> miswired,
            FabricPolicy policy,
            boolean paused,
            Optional<Instant> resumedAt,
            boolean retiring) {
        this(
                name,
                ring,
                driver,
                role,
                nodes,
                miswired,
                new TreeMap<>(),
                policy,
                paused,
                resumedAt,
                retiring,
                Optional.empty(),
                new TreeSet<>(),
                RecordedFaults.none());
    }

    public RingIntent {
        quarantinedPorts = java.util.Collections.unmodifiableSortedSet(new TreeSet<>(quarantinedPorts));
        nodes = FixedMap.copyOf(nodes);
        miswired = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(miswired));
        astray = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(astray));
        for (Map.Entry<Integer, RingNode> entry : nodes.entrySet()) {
            int position = entry.getKey();
            if (position != entry.getValue().position() || position < 0 || position >= ring.positions()) {
                throw new IllegalArgumentException("fabric " + name + ": node "
                        + entry.getValue().name() + " is entered at position " + position + " of " + ring.positions());
            }
        }
    }

    /** The same fabric under this policy, not paused. */
    public RingIntent goingOn(FabricPolicy next) {
        return new RingIntent(
                name,
                ring,
                driver,
                role,
                nodes,
                miswired,
                astray,
                next,
                false,
                resumedAt,
                retiring,
                torMismatch,
                quarantinedPorts,
                recordedFaults);
    }

    /** The same fabric where these nodes take nothing new. O(nodes). */
    public RingIntent closing(Set<String> names) {
        SortedMap<Integer, RingNode> closing = new TreeMap<>(nodes);
        closing.replaceAll((position, node) -> names.contains(node.name()) ? node.closing() : node);
        return new RingIntent(
                name,
                ring,
                driver,
                role,
                closing,
                miswired,
                astray,
                policy,
                paused,
                resumedAt,
                retiring,
                torMismatch,
                quarantinedPorts,
                recordedFaults);
    }

    @Override
    public SortedSet<String> drivers() {
        return new TreeSet<>(List.of(driver));
    }

    @Override
    public SortedMap<String, Instant> clearances() {
        SortedMap<String, Instant> clearances = new TreeMap<>();
        nodes.values().forEach(node -> node.clearedAt().ifPresent(at -> clearances.put(node.name(), at)));
        return clearances;
    }

    /** The nodes that claim the same position, one line for each such position. */
    public SortedMap<Integer, String> claims() {
        SortedMap<Integer, String> claims = new TreeMap<>();
        miswired.forEach((position, names) -> claims.put(
                position,
                "nodes " + String.join(", ", names.subList(0, names.size() - 1)) + " and " + names.getLast()
                        + " claim position " + position + ": none of them is used; correct their labels"));
        return claims;
    }
}
