package dev.lightpath.planner.ring;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Repairs the groups of a ring after faults (InfinitePOD gives no algorithm).
 *
 * <p>Fewest changed groups first, fewest changed bundles second, fewest moved members third; groups that need not change keep
 * their members, their ranks and their light.
 */
public final class RingRepair {

    /** Groups that one local repair may change. */
    public static final int LOCAL_ROW = 16;

    private RingRepair() {}

    /**
     * Local repair in which every group may help. See {@link #repair(RingFabric, RingHealth, List, SortedSet, Set, Set)}.
     */
    public static RepairOutcome repair(
            RingFabric fabric,
            RingHealth health,
            List<RingGroup> groups,
            SortedSet<Integer> broken,
            Set<Integer> free) {
        Set<Integer> all = IntStream.range(0, groups.size()).boxed().collect(java.util.stream.Collectors.toSet());
        return repair(fabric, health, groups, broken, all, free);
    }

    /**
     * Repairs the broken groups one after the other, as given, and lets neighbours shift where no spare node is in reach.
     *
     * @param groups all groups on this ring, of any jobs and sizes
     * @param broken indices of the groups to repair
     * @param movable indices of further groups that may shift to help
     * @param free positions that may join a group, besides those the groups hold; light passes by all others
     * @throws IllegalArgumentException if an index names no group
     */
    public static RepairOutcome repair(
            RingFabric fabric,
            RingHealth health,
            List<RingGroup> groups,
            SortedSet<Integer> broken,
            Set<Integer> movable,
            Set<Integer> free) {
        RingBoard board = board(fabric, health, groups, free);
        for (int group = 0; group < groups.size(); group++) {
            board.movable[group] = movable.contains(group) && groups.get(group).shares() == 1;
        }
        LocalRepair local = new LocalRepair(board, LOCAL_ROW, 4 * LOCAL_ROW * fabric.reach());
        SortedSet<Integer> changed = new TreeSet<>();
        SortedSet<Integer> lost = new TreeSet<>();
        for (int group : broken) {
            if (group < 0 || group >= groups.size()) {
                throw new IllegalArgumentException("group " + group + ": must be 0.." + (groups.size() - 1));
            }
            if (groups.get(group).shares() > 1) {
                if (!repairShare(board, groups, group)) {
                    lost.add(group);
                }
            } else if (!board.intact(group) && !local.repair(group)) {
                lost.add(group);
            }
        }
        List<RingGroup> after = new ArrayList<>(groups.size());
        for (int group = 0; group < groups.size(); group++) {
            RingGroup before = groups.get(group);
            List<Integer> members =
                    java.util.Arrays.stream(board.members[group]).boxed().toList();
            after.add(new RingGroup(members, before.share(), before.shares()));
            if (!members.equals(before.members())) {
                changed.add(group);
            }
        }
        if (changed.isEmpty() && !lost.isEmpty()) {
            return new RepairOutcome.NoRepair("no spare node within reach for group" + (lost.size() == 1 ? " " : "s ")
                    + lost.stream().map(String::valueOf).collect(java.util.stream.Collectors.joining(", ")));
        }
        return new RepairOutcome.Repaired(after, changed, lost, changedBundles(fabric, groups, after));
    }

    static RingBoard board(RingFabric fabric, RingHealth health, List<RingGroup> groups, Set<Integer> free) {
        RingBoard board = new RingBoard(fabric, groups);
        for (int position = 0; position < fabric.positions(); position++) {
            boolean taken = board.owner[position] != RingBoard.NOBODY;
            board.usable[position] = !health.isFaulty(position) && (taken || free.contains(position));
        }
        health.lost().keySet().forEach(position -> board.lost[position] = health.lostMask(position));
        return board;
    }

    /** Groups that share a node move to the first free one; those of one node move together because each is broken. */
    private static boolean repairShare(RingBoard board, List<RingGroup> groups, int group) {
        int seat = board.members[group][0];
        if (board.usable[seat]) {
            return true;
        }
        RingGroup mine = groups.get(group);
        for (int other = 0; other < groups.size(); other++) {
            RingGroup fellow = groups.get(other);
            if (other != group
                    && fellow.shares() > 1
                    && fellow.first() == mine.first()
                    && board.members[other][0] != seat) {
                board.seat(group, board.members[other]);
                return true;
            }
        }
        for (int position = 0; position < board.n; position++) {
            if (board.usable[position] && board.owner[position] == RingBoard.NOBODY) {
                board.seat(group, new int[] {position});
                return true;
            }
        }
        return false;
    }

    static int changedBundles(RingFabric fabric, List<RingGroup> before, List<RingGroup> after) {
        return BundleDerivation.derive(fabric, after)
                .states()
                .changedBundles(BundleDerivation.derive(fabric, before).states());
    }
}
