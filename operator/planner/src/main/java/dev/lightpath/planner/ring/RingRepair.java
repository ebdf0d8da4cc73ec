package dev.lightpath.planner.ring;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
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

    private static final int WIDE_ROW = 24;

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
        Set<Integer> all = IntStream.range(0, groups.size()).boxed().collect(Collectors.toSet());
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
        LocalRepair local = new LocalRepair(board, LOCAL_ROW, 2 * LOCAL_ROW * fabric.reach());
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
        return outcome(fabric, groups, board, lost);
    }

    /**
     * Seats as many groups as possible again and changes as few as possible for it, moving them as far as needed: the better of
     * {@link MinimalRepair} (exact for groups that do not interleave) and of repairing one after the other without a limit
     * on distance, which may interleave. After very many faults at once (beyond some dozens) only the latter is tried, and all
     * groups are placed anew if that keeps more of them. Groups for which no room is left give up their nodes to the others. Where groups are
     * of several sizes only the latter is done.
     *
     * @param groups all groups on this ring
     * @param free positions that may join a group, besides those the groups hold
     */
    public static RepairOutcome repairMinimal(
            RingFabric fabric, RingHealth health, List<RingGroup> groups, Set<Integer> free) {
        RingBoard apart = board(fabric, health, groups, free);
        SortedSet<Integer> lostApart = oneByOne(fabric, groups, apart);
        boolean oneSize = !groups.isEmpty()
                && groups.stream().allMatch(group -> group.shares() == 1)
                && groups.stream().mapToInt(RingGroup::size).distinct().count() == 1;
        RepairOutcome best = outcome(fabric, groups, apart, lostApart);
        if (!oneSize) {
            return best;
        }
        RingBoard together = board(fabric, health, groups, free);
        MinimalRepair minimal = new MinimalRepair(together, groups.getFirst().size(), 0);
        if (!minimal.interleaves() && minimal.isTractable()) {
            SortedSet<Integer> lost = new TreeSet<>(minimal.repair());
            if (lost.size() < lostApart.size()
                    || (lost.size() == lostApart.size()
                            && changed(groups, together, lost).size()
                                    < changed(groups, apart, lostApart).size())) {
                best = outcome(fabric, groups, together, lost);
                lostApart = lost;
            }
        }
        if (!lostApart.isEmpty()) {
            RingBoard whole = board(fabric, health, groups, free);
            SortedSet<Integer> lost = new TreeSet<>(lostApart);
            placeWhole(fabric, health, groups, whole, lost);
            if (lost.size() < lostApart.size()) {
                best = outcome(fabric, groups, whole, lost);
            }
        }
        return best;
    }

    private static SortedSet<Integer> oneByOne(RingFabric fabric, List<RingGroup> groups, RingBoard board) {
        LocalRepair wide = new LocalRepair(board, WIDE_ROW, fabric.positions());
        SortedSet<Integer> lost = new TreeSet<>();
        for (int group = 0; group < groups.size(); group++) {
            boolean repaired = groups.get(group).shares() > 1
                    ? repairShare(board, groups, group)
                    : board.intact(group) || wide.repair(group);
            if (!repaired) {
                lost.add(group);
            }
        }
        return lost;
    }

    /** Seats all groups anew if that loses fewer, which only a ring can need whose cut lies badly. */
    private static void placeWhole(
            RingFabric fabric, RingHealth health, List<RingGroup> groups, RingBoard board, SortedSet<Integer> lost) {
        Set<Integer> occupied = new HashSet<>();
        for (int position = 0; position < fabric.positions(); position++) {
            if (!board.usable[position]) {
                occupied.add(position);
            }
        }
        int tensor = groups.getFirst().size() * fabric.gpusPerNode();
        int usable = Math.min(groups.size(), RingOrchestration.usableGroups(fabric, health, tensor, occupied));
        if (usable <= groups.size() - lost.size()) {
            return;
        }
        var placed = (PlacementOutcome.Placed)
                RingOrchestration.place(fabric, health, new RingDemand(tensor, usable), occupied);
        lost.clear();
        for (int group = 0; group < groups.size(); group++) {
            board.leave(group);
            if (group < usable) {
                board.seat(
                        group,
                        placed.placement().groups().get(group).members().stream()
                                .mapToInt(Integer::intValue)
                                .toArray());
            } else {
                lost.add(group);
            }
        }
    }

    static RepairOutcome outcome(RingFabric fabric, List<RingGroup> groups, RingBoard board, SortedSet<Integer> lost) {
        SortedSet<Integer> changed = new TreeSet<>();
        List<RingGroup> after = new ArrayList<>(groups.size());
        for (int group = 0; group < groups.size(); group++) {
            RingGroup before = groups.get(group);
            List<Integer> members = Arrays.stream(board.members[group]).boxed().toList();
            after.add(new RingGroup(members, before.share(), before.shares()));
            if (!members.equals(before.members()) && !lost.contains(group)) {
                changed.add(group);
            }
        }
        if (changed.isEmpty() && !lost.isEmpty()) {
            return new RepairOutcome.NoRepair("no spare node within reach for group" + (lost.size() == 1 ? " " : "s ")
                    + lost.stream().map(String::valueOf).collect(Collectors.joining(", ")));
        }
        List<RingGroup> kept = new ArrayList<>(after);
        lost.reversed().forEach(group -> kept.remove(group.intValue()));
        return new RepairOutcome.Repaired(after, changed, lost, changedBundles(fabric, groups, kept));
    }

    private static List<RingGroup> after(List<RingGroup> groups, RingBoard board) {
        List<RingGroup> after = new ArrayList<>(groups.size());
        for (int group = 0; group < groups.size(); group++) {
            RingGroup before = groups.get(group);
            List<Integer> members = Arrays.stream(board.members[group]).boxed().toList();
            after.add(new RingGroup(members, before.share(), before.shares()));
        }
        return after;
    }

    private static SortedSet<Integer> changed(List<RingGroup> groups, RingBoard board, SortedSet<Integer> lost) {
        List<RingGroup> after = after(groups, board);
        SortedSet<Integer> changed = new TreeSet<>();
        for (int group = 0; group < groups.size(); group++) {
            if (!after.get(group).equals(groups.get(group)) && !lost.contains(group)) {
                changed.add(group);
            }
        }
        return changed;
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

    /** Bundles whose wanted state differs between two sets of groups. */
    public static int changedBundles(RingFabric fabric, List<RingGroup> before, List<RingGroup> after) {
        return BundleDerivation.derive(fabric, after)
                .states()
                .changedBundles(BundleDerivation.derive(fabric, before).states());
    }
}
