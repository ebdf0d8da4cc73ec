package dev.lightpath.planner.delta.model;

import java.util.ArrayList;
import java.util.List;

/**
 * Circuits per pair of pods (x of Eqs. 5 to 7).
 *
 * @param circuits one count of at least 1 for each group of an instance, in the groups' order
 */
public record Topology(List<Integer> circuits) {
    /** @throws IllegalArgumentException naming the first count below 1; O(groups) */
    public Topology {
        circuits = List.copyOf(circuits);
        for (int i = 0; i < circuits.size(); i++) {
            if (circuits.get(i) < 1) {
                throw new IllegalArgumentException(
                        "topology[" + i + "]: " + circuits.get(i) + ", allowed: 1 or more circuits");
            }
        }
    }

    public static Topology of(int[] circuits) {
        List<Integer> counts = new ArrayList<>(circuits.length);
        for (int count : circuits) {
            counts.add(count);
        }
        return new Topology(counts);
    }

    public int[] toArray() {
        return circuits.stream().mapToInt(Integer::intValue).toArray();
    }
}
