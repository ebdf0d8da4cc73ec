package dev.lightpath.planner.ring.repair;

import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Which groups talk across racks: members of equal rank of one set, p groups that follow one another in one job.
 *
 * @param setOf per group the number of its set
 * @param nodesPerTor p, groups of a full set
 */
public record RingSets(List<Integer> setOf, int nodesPerTor) {

    public RingSets {
        setOf = List.copyOf(setOf);
    }

    /** Groups of one job. */
    public static RingSets consecutive(RingFabric fabric, List<RingGroup> groups) {
        return ofJobs(fabric, List.of(groups.size()));
    }

    /** Groups of several jobs, listed one job after the other. */
    public static RingSets ofJobs(RingFabric fabric, List<Integer> groupsOfJobs) {
        int p = fabric.nodesPerTor();
        List<Integer> sets = new ArrayList<>();
        int first = 0;
        for (int groups : groupsOfJobs) {
            int base = first;
            IntStream.range(0, groups).forEach(index -> sets.add(base + index / p));
            first += (groups + p - 1) / p;
        }
        return new RingSets(sets, p);
    }

    /** Per group the others of its set; none if the set is not full, or crosses in any case. */
    int[][] fellows(List<RingGroup> groups) {
        int[][] fellows = new int[groups.size()][0];
        if (nodesPerTor == 1) {
            return fellows;
        }
        Map<Integer, List<Integer>> sets = new TreeMap<>();
        for (int group = 0; group < fellows.length; group++) {
            sets.computeIfAbsent(setOf.get(group), unseen -> new ArrayList<>()).add(group);
        }
        sets.values().forEach(set -> {
            boolean alike = set.stream()
                    .allMatch(group -> groups.get(group).shares() == 1
                            && groups.get(group).size()
                                    == groups.get(set.getFirst()).size());
            for (int group : set) {
                if (set.size() == nodesPerTor && alike) {
                    fellows[group] = set.stream()
                            .filter(other -> other != group)
                            .mapToInt(Integer::intValue)
                            .toArray();
                }
            }
        });
        return fellows;
    }
}
