package dev.lightpath.planner.ring;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes room for further groups by moving as few running groups as possible, within the disruption budget.
 *
 * <p>Local repairs and departing jobs leave spare nodes scattered; compaction gathers them. Nothing moves where the room is there
 * already, and a recovered node moves nothing by itself: it is one more free position.
 */
public final class RingCompaction {

    private RingCompaction() {}

    /**
     * The cheapest moves after which {@code extraGroups} more groups of {@code nodesPerGroup} nodes fit, or empty if the budget does
     * not allow them or the groups on the ring are not all of that size. Exact for groups that do not interleave.
     *
     * @param groups all groups on this ring, of whole nodes and all of {@code nodesPerGroup} nodes, all sound
     * @param movable indices of the groups that may move: those whose jobs allow it
     * @param free positions that may join a group
     * @param budgetGroups how many groups may move at most
     */
    public static Optional<RepairOutcome.Repaired> makeRoom(
            RingFabric fabric,
            RingHealth health,
            List<RingGroup> groups,
            Set<Integer> movable,
            Set<Integer> free,
            int nodesPerGroup,
            int extraGroups,
            int budgetGroups) {
        if (extraGroups < 1 || budgetGroups < 0) {
            throw new IllegalArgumentException(
                    "extraGroups = " + extraGroups + ", budgetGroups = " + budgetGroups + ": must be at least 1 and 0");
        }
        boolean oneSize = groups.stream().allMatch(group -> group.shares() == 1 && group.size() == nodesPerGroup);
        if (!oneSize || !groups.stream().allMatch(group -> health.supports(fabric, group))) {
            return Optional.empty();
        }
        RingBoard board = RingRepair.board(fabric, health, groups, free);
        for (int group = 0; group < groups.size(); group++) {
            board.movable[group] = movable.contains(group);
        }
        MinimalRepair moves = new MinimalRepair(board, nodesPerGroup, extraGroups);
        if (moves.interleaves() || !moves.makeRoom(budgetGroups)) {
            return Optional.empty();
        }
        return Optional.of((RepairOutcome.Repaired) RingRepair.outcome(fabric, groups, board, new TreeSet<>()));
    }
}
