package dev.lightpath.planner.ring;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The state of every bundle of a fabric. All bundles of an unlisted node loop back. A listed node has at least one
 * bundle that does not, so equal states are equal values.
 *
 * @param bundles K, bundles per node
 * @param lit per ring position the states of its bundles 0..K-1
 */
public record BundleStates(int bundles, SortedMap<Integer, List<BundleState>> lit) {

    public BundleStates {
        SortedMap<Integer, List<BundleState>> copy = new TreeMap<>();
        for (var entry : lit.entrySet()) {
            List<BundleState> states = List.copyOf(entry.getValue());
            if (states.size() != bundles) {
                throw new IllegalArgumentException(
                        "node " + entry.getKey() + " has " + states.size() + " bundle states, must have " + bundles);
            }
            if (states.stream().anyMatch(state -> state != BundleState.LOOPBACK)) {
                copy.put(entry.getKey(), states);
            }
        }
        lit = Collections.unmodifiableSortedMap(copy);
    }

    /** No light at all: every bundle loops back. */
    public static BundleStates dark(int bundles) {
        return new BundleStates(bundles, new TreeMap<>());
    }

    public List<BundleState> of(int position) {
        List<BundleState> states = lit.get(position);
        return states == null ? Collections.nCopies(bundles, BundleState.LOOPBACK) : states;
    }

    public BundleState of(int position, int bundle) {
        return of(position).get(bundle);
    }

    /** The same light but for one bundle. */
    public BundleStates with(int position, int bundle, BundleState state) {
        SortedMap<Integer, List<BundleState>> changed = new TreeMap<>(lit);
        List<BundleState> states = new java.util.ArrayList<>(of(position));
        states.set(bundle, state);
        changed.put(position, states);
        return new BundleStates(bundles, changed);
    }

    /** The same light but at these positions, where every bundle loops back. */
    public BundleStates without(Set<Integer> positions) {
        SortedMap<Integer, List<BundleState>> left = new TreeMap<>(lit);
        left.keySet().removeAll(positions);
        return new BundleStates(bundles, left);
    }

    /** Positions at which some bundle differs. */
    public SortedSet<Integer> changedNodes(BundleStates before) {
        SortedSet<Integer> changed = new TreeSet<>(lit.keySet());
        changed.addAll(before.lit.keySet());
        changed.removeIf(position -> of(position).equals(before.of(position)));
        return Collections.unmodifiableSortedSet(changed);
    }

    /** How many bundles have another state than before. */
    public int changedBundles(BundleStates before) {
        int changed = 0;
        for (int position : changedNodes(before)) {
            for (int bundle = 0; bundle < bundles; bundle++) {
                if (of(position, bundle) != before.of(position, bundle)) {
                    changed++;
                }
            }
        }
        return changed;
    }
}
