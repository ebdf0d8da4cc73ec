package dev.lightpath.planner.ring.rack;

import dev.lightpath.planner.ring.RingFabric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The order in which a job lists its groups, so that consecutive ones form sets: groups that sit below exactly the same
 * racks first, the others by their racks.
 */
final class SetOrder {

    private SetOrder() {}

    static List<int[]> of(RingFabric fabric, List<int[]> groups) {
        Map<List<Integer>, List<int[]>> byTors = new LinkedHashMap<>();
        for (int[] group : groups) {
            byTors.computeIfAbsent(tors(fabric, group), unseen -> new ArrayList<>())
                    .add(group);
        }
        List<int[]> ordered = new ArrayList<>(groups.size());
        List<int[]> others = new ArrayList<>();
        byTors.values().forEach(same -> (same.size() == fabric.nodesPerTor() ? ordered : others).addAll(same));
        others.sort((a, b) -> Arrays.compare(torArray(fabric, a), torArray(fabric, b)));
        ordered.addAll(others);
        return ordered;
    }

    private static List<Integer> tors(RingFabric fabric, int[] group) {
        return Arrays.stream(group).map(fabric::torOf).boxed().toList();
    }

    private static int[] torArray(RingFabric fabric, int[] group) {
        return Arrays.stream(group).map(fabric::torOf).toArray();
    }
}
