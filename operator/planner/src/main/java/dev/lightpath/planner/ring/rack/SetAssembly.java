package dev.lightpath.planner.ring.rack;

import dev.lightpath.planner.ring.RingFabric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Forms sets of p groups with few crossings out of given groups, cheapest sets first: groups below exactly the same
 * racks stay together, then each set takes the group that meets it most among those that start near.
 */
final class SetAssembly {

    private static final int NEAR = 48;

    private final RingFabric fabric;

    SetAssembly(RingFabric fabric) {
        this.fabric = fabric;
    }

    /** The groups (ring positions) in an order whose consecutive sets cross little; incomplete last. */
    List<int[]> order(List<int[]> groups) {
        int p = fabric.nodesPerTor();
        Map<List<Integer>, List<int[]>> byTors = new LinkedHashMap<>();
        for (int[] group : groups) {
            List<Integer> tors = Arrays.stream(group).map(fabric::torOf).boxed().toList();
            byTors.computeIfAbsent(tors, unseen -> new ArrayList<>()).add(group);
        }
        List<List<int[]>> sets = new ArrayList<>();
        List<List<int[]>> parts = new ArrayList<>();
        byTors.values().forEach(same -> (same.size() == p ? sets : parts).add(same));
        parts.sort(Comparator.comparing(part -> tors(part.getFirst()), Arrays::compare));
        List<int[]> rest = new ArrayList<>();
        while (!parts.isEmpty()) {
            List<int[]> set = new ArrayList<>(parts.removeFirst());
            while (set.size() < p && join(set, parts, p - set.size())) {
                // join has grown the set
            }
            if (set.size() == p) {
                sets.add(set);
            } else {
                rest.addAll(set);
            }
        }
        sets.sort(Comparator.comparingInt(this::crossings));
        List<int[]> ordered = new ArrayList<>(groups.size());
        sets.forEach(ordered::addAll);
        ordered.addAll(rest);
        return ordered;
    }

    private int[] tors(int[] group) {
        return Arrays.stream(group).map(fabric::torOf).toArray();
    }

    private boolean join(List<int[]> set, List<List<int[]>> parts, int room) {
        int best = -1;
        int bestMeetings = -1;
        for (int i = 0; i < Math.min(NEAR, parts.size()); i++) {
            List<int[]> part = parts.get(i);
            int meetings = meetings(set.getFirst(), part.getFirst());
            if (part.size() <= room && meetings > bestMeetings) {
                best = i;
                bestMeetings = meetings;
            }
        }
        if (best < 0 && !parts.isEmpty()) {
            List<int[]> split = parts.getFirst();
            set.addAll(split.subList(0, room));
            parts.set(0, new ArrayList<>(split.subList(room, split.size())));
            return true;
        }
        if (best < 0) {
            return false;
        }
        set.addAll(parts.remove(best));
        return true;
    }

    private int meetings(int[] a, int[] b) {
        int meetings = 0;
        for (int rank = 0; rank < a.length; rank++) {
            meetings += fabric.torOf(a[rank]) == fabric.torOf(b[rank]) ? 1 : 0;
        }
        return meetings;
    }

    private int crossings(List<int[]> set) {
        int crossings = 0;
        for (int rank = 0; rank < set.getFirst().length; rank++) {
            int at = rank;
            long distinct = set.stream()
                    .mapToInt(group -> fabric.torOf(group[at]))
                    .distinct()
                    .count();
            crossings += distinct > 1 ? (int) distinct : 0;
        }
        return crossings;
    }
}
