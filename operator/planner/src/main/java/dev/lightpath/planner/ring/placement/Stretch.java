package dev.lightpath.planner.ring.placement;

import dev.lightpath.planner.ring.PortMap;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingHealth;
import java.util.Arrays;
import java.util.Set;

/**
 * A run of consecutive positions, indexed from 0, with what each may do. Groups never lead out of it.
 *
 * <p>Internal arrays are shared with the planners of this package; nothing outside holds one.
 */
public final class Stretch {

    static final int[] NONE = {};
    private static final int[] NOTHING_LOST = {};

    public final int length;
    final int reach;
    /** May join a group: healthy and not occupied. */
    public final boolean[] usable;
    /** Lost paths, see {@link RingHealth#lostMask}; empty where none is lost. */
    private final int[] lost;
    /** States that a member takes, by hop to its left and right neighbour; -1 impossible. */
    private final int[][] states;

    private final int positions;
    private final int origin;
    private final boolean anyLost;

    private Stretch(
            int positions, int origin, int reach, boolean[] usable, int[] lost, int[][] states, boolean anyLost) {
        this.positions = positions;
        this.origin = origin;
        this.length = usable.length;
        this.reach = reach;
        this.usable = usable;
        this.lost = lost;
        this.states = states;
        this.anyLost = anyLost;
    }

    /** The whole fabric from {@code origin} on, once round. O(n). */
    static Stretch of(RingFabric fabric, RingHealth health, Set<Integer> occupied, int origin) {
        int n = fabric.positions();
        boolean[] usable = new boolean[n];
        int[] lost = new int[n];
        Arrays.fill(usable, true);
        for (int position : health.faulty()) {
            if (fabric.contains(position)) {
                usable[Math.floorMod(position - origin, n)] = false;
            }
        }
        for (int position : occupied) {
            usable[Math.floorMod(position - origin, n)] = false;
        }
        for (int position : health.lost().keySet()) {
            if (fabric.contains(position)) {
                lost[Math.floorMod(position - origin, n)] = health.lostMask(position);
            }
        }
        return new Stretch(
                n,
                origin,
                fabric.reach(),
                usable,
                lost,
                statesByHop(fabric.reach()),
                !health.lost().isEmpty());
    }

    /** A part of the fabric from {@code origin} on, whose arrays are taken over. */
    public static Stretch ofArrays(RingFabric fabric, int origin, boolean[] usable, int[] lost) {
        boolean anyLost = Arrays.stream(lost).anyMatch(mask -> mask != 0);
        return new Stretch(
                fabric.positions(), origin, fabric.reach(), usable, lost, statesByHop(fabric.reach()), anyLost);
    }

    /**
     * A line on which no path is lost. O(1).
     *
     * @param usable is taken over
     * @param states {@link #statesByHop} of this reach
     */
    public static Stretch ofLine(boolean[] usable, int reach, int[][] states) {
        return new Stretch(usable.length, 0, reach, usable, NOTHING_LOST, states, false);
    }

    public static int[][] statesByHop(int reach) {
        PortMap ports = new PortMap(reach);
        int[][] states = new int[reach + 1][reach + 1];
        for (int left = 0; left <= reach; left++) {
            for (int right = 0; right <= reach; right++) {
                states[left][right] = ports.statesMask(left, right);
            }
        }
        return states;
    }

    public int positionOf(int index) {
        int position = origin + index;
        return position >= positions ? position - positions : position;
    }

    boolean allows(int index, int left, int right) {
        int mask = states[left][right];
        return mask >= 0 && (!anyLost || (mask & lost[index]) == 0);
    }

    /** The same up to the end. */
    public int[] earliestGroup(int from, int size) {
        return earliestGroup(from, length, size);
    }

    /**
     * The group of {@code size} nodes within {@code from..to-1} that ends first (indices in order), or {@link #NONE}.
     * Taking such groups one after the other gives the greatest number of groups that do not interleave. O(size) where
     * every hop is possible, else O((to - from) * size * K^2).
     */
    public int[] earliestGroup(int from, int to, int size) {
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
                return isPlain(members) ? members : earliestConstrained(from, to, size);
            }
        }
        return NONE;
    }

    /** How many groups fit into {@code from..to-1}. */
    public int room(int from, int to, int size) {
        int room = 0;
        int[] next = earliestGroup(from, to, size);
        while (next.length > 0) {
            room++;
            next = earliestGroup(next[size - 1] + 1, to, size);
        }
        return room;
    }

    private boolean isPlain(int[] members) {
        if (!anyLost && (reach & 1) == 0) {
            return true;
        }
        int left = 0;
        for (int rank = 0; rank < members.length; rank++) {
            int right = rank + 1 < members.length ? members[rank + 1] - members[rank] : 0;
            if (!allows(members[rank], left, right)) {
                return false;
            }
            left = right;
        }
        return true;
    }

    /** Dynamic programme over (index, rank, hop to the member before), the latter as a bit set. */
    private int[] earliestConstrained(int from, int to, int size) {
        // the first group is mostly near
        int[][] hops = new int[Math.min(to - from, 2 * size * reach) + reach + 1][];
        for (int i = from; i < to; i++) {
            if (!usable[i]) {
                continue;
            }
            if (i - from + reach >= hops.length) {
                hops = Arrays.copyOf(hops, Math.max(2 * hops.length, i - from + reach + 1));
            }
            int[] mine = hops[i - from] == null ? new int[size] : hops[i - from];
            hops[i - from] = mine;
            mine[0] = 1;
            for (int left = 0; left <= reach; left++) {
                if ((mine[size - 1] & (1 << left)) != 0 && allows(i, left, 0)) {
                    return backwards(hops, from, i, size, left);
                }
            }
            for (int rank = 0; rank + 1 < size; rank++) {
                for (int left = 0; mine[rank] >>> left != 0; left++) {
                    if ((mine[rank] & (1 << left)) == 0) {
                        continue;
                    }
                    for (int right = 1; right <= reach && i + right < to; right++) {
                        if (usable[i + right] && allows(i, left, right)) {
                            int at = i + right - from;
                            if (hops[at] == null) {
                                hops[at] = new int[size];
                            }
                            hops[at][rank + 1] |= 1 << right;
                        }
                    }
                }
            }
        }
        return NONE;
    }

    private int[] backwards(int[][] hops, int from, int end, int size, int lastHop) {
        int[] members = new int[size];
        int hop = lastHop;
        int i = end;
        for (int rank = size - 1; rank >= 0; rank--) {
            members[rank] = i;
            if (rank == 0) {
                break;
            }
            int before = i - hop;
            int set = hops[before - from][rank - 1];
            int chosen = -1;
            for (int left = 0; left <= reach && chosen < 0; left++) {
                if ((set & (1 << left)) != 0 && allows(before, left, hop)) {
                    chosen = left;
                }
            }
            i = before;
            hop = chosen;
        }
        return members;
    }

    /** An index after which {@code reach} nodes in a row are unusable, so that no group passes; -1 if there is none. */
    public static int breakAfter(boolean[] usable, int reach) {
        int n = usable.length;
        int run = 0;
        for (int i = 0; i < 2 * n; i++) {
            run = usable[i % n] ? 0 : run + 1;
            if (run >= reach) {
                return i % n;
            }
        }
        return -1;
    }
}
