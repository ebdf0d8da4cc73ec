package dev.lightpath.planner.ring.rack;

import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingHealth;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Fewest crossings of every number of groups over all placements that light allows, interleaved, wrapping and spanning
 * ones included: by sets of nodes, for fabrics of a dozen nodes.
 */
final class LeastCrossing {

    private static final long NEVER = Long.MAX_VALUE / 4;

    private final RingFabric fabric;
    private final int size;
    private final List<int[]> candidates = new ArrayList<>();
    private final Map<Integer, Long> sets = new HashMap<>();
    private final long[] crossings;

    LeastCrossing(RingFabric fabric, RingHealth health, int size) {
        this.fabric = fabric;
        this.size = size;
        for (int start = 0; start < fabric.positions(); start++) {
            extend(health, new int[size], 0, start, 0);
        }
        gather(0, 0, new ArrayList<>());
        boolean[] seated = seated();
        int most = 0;
        for (int nodes = 0; nodes < seated.length; nodes++) {
            most = seated[nodes] ? Math.max(most, Integer.bitCount(nodes) / size) : most;
        }
        long[] inFullSets = inFullSets(seated.length);
        this.crossings = new long[most + 1];
        for (int groups = 0; groups <= most; groups++) {
            crossings[groups] = least(groups, seated, inFullSets);
        }
    }

    int mostGroups() {
        return crossings.length - 1;
    }

    long crossings(int groups) {
        return crossings[groups];
    }

    private void extend(RingHealth health, int[] group, int rank, int at, int span) {
        for (int i = 0; i < rank; i++) {
            if (group[i] == at) {
                return;
            }
        }
        group[rank] = at;
        if (rank + 1 == size) {
            if (span < fabric.positions() && health.supports(fabric, RingGroup.of(group))) {
                candidates.add(group.clone());
            }
            return;
        }
        for (int hop = 1; hop <= fabric.reach(); hop++) {
            if (fabric.at(at, hop) >= 0) {
                extend(health, group, rank + 1, fabric.at(at, hop), span + hop);
            }
        }
    }

    private static int nodes(int[] group) {
        return Arrays.stream(group).map(member -> 1 << member).sum();
    }

    private void gather(int from, int taken, List<RingGroup> set) {
        if (set.size() == fabric.nodesPerTor()) {
            sets.merge(taken, CrossTor.crossings(fabric, set), Math::min);
            return;
        }
        for (int i = from; i < candidates.size(); i++) {
            int mine = nodes(candidates.get(i));
            if ((mine & taken) == 0) {
                set.addLast(RingGroup.of(candidates.get(i)));
                gather(i + 1, taken | mine, set);
                set.removeLast();
            }
        }
    }

    /** Which sets of nodes groups can fill exactly. */
    private boolean[] seated() {
        boolean[] seated = new boolean[1 << fabric.positions()];
        seated[0] = true;
        for (int nodes = 1; nodes < seated.length; nodes++) {
            for (int[] group : candidates) {
                int mine = nodes(group);
                boolean first = Integer.lowestOneBit(mine) == Integer.lowestOneBit(nodes);
                seated[nodes] |= first && (mine & nodes) == mine && seated[nodes ^ mine];
            }
        }
        return seated;
    }

    private long[] inFullSets(int choices) {
        long[] least = new long[choices];
        Arrays.fill(least, NEVER);
        least[0] = 0;
        for (int nodes = 1; nodes < choices; nodes++) {
            for (Map.Entry<Integer, Long> set : sets.entrySet()) {
                int mine = set.getKey();
                if ((mine & nodes) == mine && Integer.lowestOneBit(mine) == Integer.lowestOneBit(nodes)) {
                    least[nodes] = Math.min(least[nodes], least[nodes ^ mine] + set.getValue());
                }
            }
        }
        return least;
    }

    private long least(int groups, boolean[] seated, long[] inFullSets) {
        int rest = groups % fabric.nodesPerTor() * size;
        long best = NEVER;
        for (int nodes = 0; nodes < seated.length; nodes++) {
            if (Integer.bitCount(nodes) == groups * size - rest && inFullSets[nodes] < best) {
                int free = seated.length - 1 & ~nodes;
                boolean room = rest == 0;
                for (int others = free; others > 0 && !room; others = others - 1 & free) {
                    room = Integer.bitCount(others) == rest && seated[others];
                }
                best = room ? inFullSets[nodes] : best;
            }
        }
        return best + rest;
    }
}
