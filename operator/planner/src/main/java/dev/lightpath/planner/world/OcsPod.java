package dev.lightpath.planner.world;

import dev.lightpath.planner.fault.Signal;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A unit wired to optical switches: a pod, a cube, a rack.
 *
 * @param name also the name of the device of its far-end transceivers, where a driver tells of them
 * @param index its place in the order of the fabric
 * @param ports circuit ends that it has, 0 when that is not told
 * @param nodes by name, with what looks wrong with each by what Kubernetes and people say
 * @param placeable whether something new may be placed on all of it: false while one of its nodes is cordoned or goes
 * @param closed nodes that take nothing new: cordoned, going, or with GPUs that pods of others hold
 */
public record OcsPod(
        String name,
        int index,
        int gpus,
        int ports,
        SortedMap<String, List<Signal>> nodes,
        boolean placeable,
        SortedSet<String> closed) {
    /** A pod of which no node is closed by itself. */
    public OcsPod(
            String name, int index, int gpus, int ports, SortedMap<String, List<Signal>> nodes, boolean placeable) {
        this(name, index, gpus, ports, nodes, placeable, Collections.emptySortedSet());
    }

    /** A pod whose ports are those that are wired, and of which no node is cordoned. */
    public OcsPod(String name, int index, int gpus, SortedMap<String, List<Signal>> nodes) {
        this(name, index, gpus, 0, nodes, true);
    }

    public OcsPod {
        nodes = Collections.unmodifiableSortedMap(new TreeMap<>(nodes));
        closed = Collections.unmodifiableSortedSet(new TreeSet<>(closed));
    }
}
