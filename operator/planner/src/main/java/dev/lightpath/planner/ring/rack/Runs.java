package dev.lightpath.planner.ring.rack;

import dev.lightpath.planner.ring.placement.Stretch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Cuts a run of positions into as many groups as possible from its left end: Algorithm 2 on one sub-line, with the rule
 * that a node of an odd reach cannot pass K to both sides.
 */
final class Runs {
    private final int size;
    private final int reach;
    private final int[][] states;

    /**
     * @param size m, nodes per group
     * @param reach K
     */
    Runs(int size, int reach) {
        this.size = size;
        this.reach = reach;
        this.states = Stretch.statesByHop(reach);
    }

    int size() {
        return size;
    }

    /** How many groups fit into {@code from..to-1}. O(to - from). */
    int count(boolean[] usable, int from, int to) {
        int groups = 0;
        int rank = 0;
        int start = from;
        int previous = 0;
        int hopBefore = 0;
        boolean odd = (reach & 1) == 1;
        for (int i = from; i < to; i++) {
            if (!usable[i]) {
                continue;
            }
            int hop = 0;
            if (rank > 0) {
                hop = i - previous;
                if (hop > reach) {
                    rank = 0;
                    hop = 0;
                } else if (odd && hop == reach && hopBefore == reach) {
                    int[] group = line(usable).earliestGroup(start, to, size);
                    if (group.length == 0) {
                        return groups;
                    }
                    groups++;
                    rank = 0;
                    hopBefore = 0;
                    i = group[size - 1];
                    continue;
                }
            }
            if (rank == 0) {
                start = i;
            }
            hopBefore = hop;
            previous = i;
            if (++rank == size) {
                groups++;
                rank = 0;
                hopBefore = 0;
            }
        }
        return groups;
    }

    /** The groups that {@link #count} counts, as ascending indices into {@code usable}. */
    List<int[]> groups(boolean[] usable, int from, int to) {
        List<int[]> groups = new ArrayList<>();
        Stretch line = line(usable);
        int[] next = line.earliestGroup(from, to, size);
        while (next.length > 0) {
            groups.add(next);
            next = line.earliestGroup(next[size - 1] + 1, to, size);
        }
        return groups;
    }

    private Stretch line(boolean[] usable) {
        return Stretch.ofLine(usable, reach, states);
    }

    /** Indices moved by an offset. */
    static int[] shifted(int[] indices, int offset) {
        return Arrays.stream(indices).map(i -> i + offset).toArray();
    }
}
