package dev.lightpath.planner.ring.repair;

import dev.lightpath.planner.ring.BundleDerivation;
import dev.lightpath.planner.ring.RingDemand;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.ring.placement.PlacementOutcome;
import dev.lightpath.planner.ring.placement.RingOrchestration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Repairs the groups of a ring after faults (InfinitePOD gives no algorithm).
 *
 * <p>Fewest changed groups first, fewest changed bundles second, fewest moved members third; groups that need not
 * change keep their members, their ranks and their light.
 */
public final class RingRepair {

    /** Groups that one local repair may change. */
    public static final int LOCAL_ROW = 16;

    private static final int WIDE_ROW = 24;
    /** States of a walk of {@link SeatProgramme} if no caller waits for the answer within milliseconds. */
    private static final int STATES = 1_000_000;
    /** Longest fibre for {@link SeatProgramme}. */
    private static final int WIDEST = 4096;

    private RingRepair() {}

    /**
     * Local repair in which every group may help. See
     * {@link #repair(RingFabric, RingHealth, List, SortedSet, Set, Set)}.
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
     * Repairs the broken groups one after the other, as given, and lets neighbours shift where no spare node is in
     * reach.
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
        // a group also counts as repaired if its own nodes have recovered
        return lost.containsAll(broken) ? outcome(fabric, groups, board, lost) : repaired(fabric, groups, board, lost);
    }

    /**
     * Places as many nodes as possible again and changes as few groups as possible for it, moving them as far as
     * needed. It takes the best of three: {@link SeatProgramme}, exact for groups of any sizes that may interleave,
     * within its tables; {@link MinimalRepair}, exact for groups of one size that do not interleave; and repairing one
     * after the other without a limit on distance. After very many faults at once only the last is left, and all groups
     * of one size are placed anew if that keeps more of them. Groups without room give up their nodes to others of
     * their size.
     *
     * @param groups all groups on this ring, of any sizes
     * @param free positions that may join a group, besides those the groups hold
     */
    public static RepairOutcome repairMinimal(
            RingFabric fabric, RingHealth health, List<RingGroup> groups, Set<Integer> free) {
        return repairMinimal(fabric, health, groups, free, RingSets.consecutive(fabric, groups), STATES);
    }

    /**
     * The same for groups of several jobs.
     *
     * @param sets which groups talk across racks: among equal changes the ranks of a set stay below one
     * @param states of one walk of {@link SeatProgramme} at most, some hundred nanoseconds each
     */
    public static RepairOutcome repairMinimal(
            RingFabric fabric,
            RingHealth health,
            List<RingGroup> groups,
            Set<Integer> free,
            RingSets sets,
            int states) {
        Repair best = new Repair(board(fabric, health, groups, free, sets), new TreeSet<>());
        best.lost().addAll(oneByOne(fabric, groups, best.board()));
        for (Repair other : others(fabric, health, groups, free, sets, best)) {
            best = better(fabric, groups, best, other);
        }
        Repair exact = exact(board(fabric, health, groups, free, sets), groups, best, states);
        best = better(fabric, groups, best, exact);
        return outcome(fabric, groups, best.board(), best.lost());
    }

    private record Repair(RingBoard board, SortedSet<Integer> lost) {}

    private static Repair better(RingFabric fabric, List<RingGroup> groups, Repair one, Repair other) {
        int byNodes = Integer.compare(nodes(groups, one.lost()), nodes(groups, other.lost()));
        int byLost = byNodes != 0
                ? byNodes
                : Integer.compare(one.lost().size(), other.lost().size());
        int byChange = byLost != 0
                ? byLost
                : Integer.compare(
                        changed(groups, one.board(), one.lost()).size(),
                        changed(groups, other.board(), other.lost()).size());
        int byCrossing = byChange != 0 ? byChange : Integer.compare(crossings(one), crossings(other));
        int byBundles = byCrossing != 0
                ? byCrossing
                : Integer.compare(bundles(fabric, groups, one), bundles(fabric, groups, other));
        return byBundles <= 0 ? one : other;
    }

    private static int nodes(List<RingGroup> groups, SortedSet<Integer> lost) {
        return lost.stream().mapToInt(group -> groups.get(group).size()).sum();
    }

    private static int crossings(Repair repair) {
        int crossings = 0;
        for (int group = 0; repair.board().racked && group < repair.board().members.length; group++) {
            crossings += repair.board().crossings(group, repair.board().members[group]);
        }
        return crossings;
    }

    private static int bundles(RingFabric fabric, List<RingGroup> groups, Repair repair) {
        List<RingGroup> kept = after(groups, repair.board());
        repair.lost().reversed().forEach(group -> kept.remove(group.intValue()));
        return changedBundles(fabric, groups, kept);
    }

    private static Repair exact(RingBoard board, List<RingGroup> groups, Repair known, int states) {
        SortedSet<Integer> lost = new TreeSet<>();
        for (int group = 0; group < groups.size(); group++) {
            if (board.shared[group] && !repairShare(board, groups, group)) {
                lost.add(group);
            }
        }
        boolean all = known.lost().isEmpty();
        int changes = changed(groups, known.board(), known.lost()).size();
        int budget = all ? changes : groups.size();
        if (board.n > WIDEST || changes == 0 && all) {
            return known;
        }
        return new SeatProgramme(board, new TreeMap<>(), states)
                .solve(budget)
                .map(answer -> {
                    lost.addAll(new SeatExchange(board).seat(answer.moving(), answer.seats()));
                    return new Repair(board, lost);
                })
                .orElse(known);
    }

    /** By the methods for groups of one size. */
    private static List<Repair> others(
            RingFabric fabric,
            RingHealth health,
            List<RingGroup> groups,
            Set<Integer> free,
            RingSets sets,
            Repair apart) {
        boolean oneSize = !groups.isEmpty()
                && groups.stream().allMatch(group -> group.shares() == 1)
                && groups.stream().mapToInt(RingGroup::size).distinct().count() == 1;
        if (!oneSize) {
            return List.of();
        }
        List<Repair> others = new ArrayList<>();
        RingBoard together = board(fabric, health, groups, free, sets);
        MinimalRepair minimal = new MinimalRepair(together, groups.getFirst().size(), 0);
        if (!minimal.interleaves() && minimal.isTractable()) {
            others.add(new Repair(together, new TreeSet<>(minimal.repair())));
        }
        if (!apart.lost().isEmpty()) {
            RingBoard whole = board(fabric, health, groups, free, sets);
            SortedSet<Integer> lost = new TreeSet<>(apart.lost());
            placeWhole(fabric, health, groups, whole, lost);
            if (lost.size() < apart.lost().size()) {
                others.add(new Repair(whole, lost));
            }
        }
        return others;
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

    /** Places all groups anew if that loses fewer. This happens only on a ring whose cut is in a bad place. */
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
        RepairOutcome.Repaired repaired = repaired(fabric, groups, board, lost);
        return repaired.changed().isEmpty() && !lost.isEmpty()
                ? new RepairOutcome.NoRepair("no spare node within reach for group" + (lost.size() == 1 ? " " : "s ")
                        + lost.stream().map(String::valueOf).collect(Collectors.joining(", ")))
                : repaired;
    }

    private static RepairOutcome.Repaired repaired(
            RingFabric fabric, List<RingGroup> groups, RingBoard board, SortedSet<Integer> lost) {
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
        return board(fabric, health, groups, free, RingSets.consecutive(fabric, groups));
    }

    static RingBoard board(
            RingFabric fabric, RingHealth health, List<RingGroup> groups, Set<Integer> free, RingSets sets) {
        RingBoard board = new RingBoard(fabric, groups, sets);
        for (int position : free) {
            if (fabric.contains(position)) {
                board.usable[position] = true;
            }
        }
        for (int[] seats : board.members) {
            for (int seat : seats) {
                board.usable[seat] = true;
            }
        }
        for (int position : health.faulty()) {
            if (fabric.contains(position)) {
                board.usable[position] = false;
            }
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
            if (board.usable[position] && board.owner[position] == RingBoard.NO_GROUP) {
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
