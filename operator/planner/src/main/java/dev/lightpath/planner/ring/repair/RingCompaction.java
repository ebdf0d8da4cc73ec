package dev.lightpath.planner.ring.repair;

import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingHealth;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Makes room for further groups by moving as few running groups as possible, within the disruption budget.
 *
 * <p>Local repairs and departing jobs leave spare nodes scattered; compaction gathers them. Nothing moves where the
 * room is there already, and a recovered node moves nothing by itself: it is one more free position.
 */
public final class RingCompaction {

    /** Cells of the tables of {@link MinimalRepair}: what is answered within milliseconds. */
    private static final long CELLS = 4_000_000;

    private RingCompaction() {}

    /**
     * The cheapest moves after which {@code extraGroups} more groups of {@code nodesPerGroup} nodes fit, or empty if
     * the budget does not allow them. Groups of any sizes move. The number of moves is exactly the least within the
     * tables of {@link SeatProgramme}, and where all groups have the wanted size and do not interleave. Beyond that it
     * is as few as {@link Defragmentation} finds.
     *
     * @param groups all groups on this ring, all healthy
     * @param movable indices of the groups that may move: those whose jobs allow it
     * @param free positions that may join a group
     * @param budgetGroups how many groups may move at most
     * @param sets which groups talk across racks: among equal moves their ranks stay below one
     * @param states of one walk of {@link SeatProgramme} at most, some hundred nanoseconds each
     */
    public static Optional<RepairOutcome.Repaired> makeRoom(
            RingFabric fabric,
            RingHealth health,
            List<RingGroup> groups,
            Set<Integer> movable,
            Set<Integer> free,
            int nodesPerGroup,
            int extraGroups,
            int budgetGroups,
            RingSets sets,
            int states) {
        if (extraGroups < 1 || budgetGroups < 0) {
            throw new IllegalArgumentException(
                    "extraGroups = " + extraGroups + ", budgetGroups = " + budgetGroups + ": must be at least 1 and 0");
        }
        if (!groups.stream().allMatch(group -> health.supports(fabric, group))) {
            return Optional.empty();
        }
        SortedMap<Integer, Integer> room = new TreeMap<>(Map.of(nodesPerGroup, extraGroups));
        RingBoard together = board(fabric, health, groups, movable, free, sets);
        RingBoard any = board(fabric, health, groups, movable, free, sets);
        boolean oneSize = groups.stream().allMatch(group -> group.shares() == 1 && group.size() == nodesPerGroup);
        MinimalRepair moves = new MinimalRepair(together, oneSize ? nodesPerGroup : 1, oneSize ? extraGroups : 0);
        long perMove = Math.max(1L, groups.size()) * (2L * extraGroups + 1);
        int most = (int) Math.min(budgetGroups, CELLS / perMove);
        boolean apart = oneSize && !moves.interleaves() && moves.makeRoom(most);
        Optional<RingBoard> exact = new SeatProgramme(any, room, states)
                .solve(Math.min(budgetGroups, movable.size()))
                .map(answer -> {
                    new SeatExchange(any).seat(answer.moving(), answer.seats());
                    return any;
                });
        Optional<RingBoard> gathered = exact.isPresent() || apart
                ? Optional.empty()
                : gather(
                        board(fabric, health, groups, movable, free, sets),
                        room,
                        Math.min(budgetGroups, movable.size()));
        return Stream.of(apart ? Optional.of(together) : Optional.<RingBoard>empty(), exact, gathered)
                .flatMap(Optional::stream)
                .map(board -> (RepairOutcome.Repaired) RingRepair.outcome(fabric, groups, board, new TreeSet<>()))
                .filter(repaired -> repaired.changed().size() <= budgetGroups)
                .min(Comparator.comparingInt((RepairOutcome.Repaired repaired) ->
                                repaired.changed().size())
                        .thenComparingInt(RepairOutcome.Repaired::changedBundles));
    }

    private static Optional<RingBoard> gather(RingBoard board, SortedMap<Integer, Integer> room, int budget) {
        return new Defragmentation(board, room, budget)
                .solve()
                .filter(answer -> new SeatExchange(board)
                        .seat(answer.moving(), answer.seats())
                        .isEmpty())
                .map(answer -> board);
    }

    private static RingBoard board(
            RingFabric fabric,
            RingHealth health,
            List<RingGroup> groups,
            Set<Integer> movable,
            Set<Integer> free,
            RingSets sets) {
        RingBoard board = RingRepair.board(fabric, health, groups, free, sets);
        for (int group = 0; group < groups.size(); group++) {
            board.movable[group] = movable.contains(group);
        }
        return board;
    }
}
