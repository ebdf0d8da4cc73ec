package dev.lightpath.planner.delta.model;

import java.util.List;

/**
 * Pairs of pods that get the same number of circuits: one decision of the search (isomorphic replicas, section IV-A1).
 *
 * @param maxCircuits most circuits the search may give to each pair, at least 1
 * @param dp whether the group carries data-parallel traffic (used for reports only)
 * @param pairs the tied pairs, at least one
 */
public record CircuitGroup(int maxCircuits, boolean dp, List<PodPair> pairs) {
    /** @throws IllegalArgumentException naming the field and what is allowed; O(pairs) */
    public CircuitGroup {
        pairs = List.copyOf(pairs);
        if (maxCircuits < 1) {
            throw new IllegalArgumentException("maxCircuits: " + maxCircuits + ", allowed: 1 or more");
        }
        if (pairs.isEmpty()) {
            throw new IllegalArgumentException("pairs: empty, allowed: at least one pair of pods");
        }
    }
}
