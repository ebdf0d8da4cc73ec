package dev.lightpath.planner.world;

import dev.lightpath.planner.fault.Signal;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A unit wired to optical switches: a pod, a cube, a rack.
 *
 * @param name also the name of the device of its far-end transceivers, where a driver reports them
 * @param index its place in the order of the fabric
 * @param ports number of its circuit ends, 0 if unknown
 * @param nodes by name, each with its signals from Kubernetes and people
 * @param placeable whether something new may be placed on all of it: false while one of its nodes is cordoned or being
 *     deleted
 * @param closed nodes that take nothing new: cordoned, being deleted, or with GPUs that pods of others hold
 */
public record OcsPod(
        String name,
        int index,
        int gpus,
        int ports,
        SortedMap<String, List<Signal>> nodes,
        boolean placeable,
        SortedSet<String> closed) {
    /** A pod without a closed node. */
    public OcsPod(
            String name, int index, int gpus, int ports, SortedMap<String, List<Signal>> nodes, boolean placeable) {
        this(name, index, gpus, ports, nodes, placeable, Collections.emptySortedSet());
    }

    public OcsPod {
        nodes = Collections.unmodifiableSortedMap(new TreeMap<>(nodes));
        closed = Collections.unmodifiableSortedSet(new TreeSet<>(closed));
    }

    /** The same pod where these nodes take nothing new; the same object where it has none of them. */
    OcsPod closing(Set<String> names) {
        SortedSet<String> more = new TreeSet<>(closed);
        return nodes.keySet().stream().filter(names::contains).filter(more::add).count() == 0
                ? this
                : new OcsPod(name, index, gpus, ports, nodes, false, more);
    }
}
