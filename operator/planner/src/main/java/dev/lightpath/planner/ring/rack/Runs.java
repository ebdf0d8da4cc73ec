package dev.lightpath.planner.ring.rack;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Cuts a run of positions into as many groups as possible from its left end: Algorithm 2 on one sub-line, with the rule
 * that a node of an odd reach cannot pass K to both sides.
 *
 * @param size m, nodes per group
 * @param reach K
 */
record Runs(int size, int reach) {

    private static final int[] NONE = {};

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
                    int[] group = earliest(usable, start, to);
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
        int at = from;
        while (true) {
            int[] group = earliest(usable, at, to);
            if (group.length == 0) {
                return groups;
            }
            groups.add(group);
            at = group[size - 1] + 1;
        }
    }

    private int[] earliest(boolean[] usable, int from, int to) {
        int[] members = new int[size];
        int rank = 0;
        for (int i = from; i < to; i++) {
            if (!usable[i]) {
                continue;
            }
            if (rank > 0 && i - members[rank - 1] > reach) {
                rank = 0;
            }
            members[rank++] = i;
            if (rank == size) {
                return plain(members) ? members : constrained(usable, from, to);
            }
        }
        return NONE;
    }

    private boolean plain(int[] members) {
        if ((reach & 1) == 0) {
            return true;
        }
        for (int rank = 2; rank < size; rank++) {
            if (members[rank] - members[rank - 1] == reach && members[rank - 1] - members[rank - 2] == reach) {
                return false;
            }
        }
        return true;
    }

    /** Reachable (index, rank) as bits: 1 arrived by less than K, 2 by K. */
    private int[] constrained(boolean[] usable, int from, int to) {
        List<int[]> table = new ArrayList<>();
        for (int i = from; i < to; i++) {
            int[] mine = new int[size];
            table.add(mine);
            if (!usable[i]) {
                continue;
            }
            mine[0] = 1;
            for (int hop = 1; hop <= reach && hop <= i - from; hop++) {
                int[] before = table.get(i - from - hop);
                for (int rank = 1; rank < size; rank++) {
                    int arrivals = before[rank - 1];
                    boolean possible = hop < reach ? arrivals != 0 : (arrivals & 1) != 0;
                    mine[rank] |= possible ? (hop < reach ? 1 : 2) : 0;
                }
            }
            if (mine[size - 1] != 0) {
                return back(table, from, i);
            }
        }
        return NONE;
    }

    private int[] back(List<int[]> table, int from, int end) {
        int[] members = new int[size];
        int i = end;
        int arrival = Integer.lowestOneBit(table.get(end - from)[size - 1]);
        for (int rank = size - 1; rank > 0; rank--) {
            members[rank] = i;
            for (int hop = 1; hop <= reach; hop++) {
                if ((hop == reach) != (arrival == 2) || i - hop < from) {
                    continue;
                }
                int arrivals = table.get(i - hop - from)[rank - 1];
                int allowed = hop == reach ? arrivals & 1 : arrivals;
                if (allowed != 0) {
                    i -= hop;
                    arrival = Integer.lowestOneBit(allowed);
                    break;
                }
            }
        }
        members[0] = i;
        return members;
    }

    /** Indices moved by an offset. */
    static int[] shifted(int[] indices, int offset) {
        return Arrays.stream(indices).map(i -> i + offset).toArray();
    }
}
