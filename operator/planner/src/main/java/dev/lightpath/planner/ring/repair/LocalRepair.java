package dev.lightpath.planner.ring.repair;

import java.util.Arrays;

/**
 * Repairs one broken group on a {@link RingBoard}. It moves as few groups as possible, then as few bundles as possible.
 *
 * <p>It tries in this order: the group alone between its neighbours; the group alone in free space elsewhere; the group
 * alone with spare nodes beyond its neighbours; ever longer rows of neighbouring groups that shift together towards a
 * spare node. A row keeps its order.
 */
final class LocalRepair {

    private final RingBoard board;
    private final BlockRepair block;
    private final int greatestRow;
    private final int searchRadius;

    private final int[] row;
    private int[] toLeft = new int[8];
    private int[] toRight = new int[8];
    private int leftKnown;
    private int rightKnown;
    private int windowStart;
    private int[] bestSeats = new int[0];
    private int[] bestRow = new int[0];
    private long bestCost;

    /**
     * @param greatestRow how many groups may change for one repair
     * @param searchRadius how many positions away a group may be seated alone
     */
    LocalRepair(RingBoard board, int greatestRow, int searchRadius) {
        this.board = board;
        this.block = new BlockRepair(board.fabric.reach());
        this.greatestRow = Math.min(greatestRow, board.members.length);
        this.searchRadius = searchRadius;
        this.row = new int[this.greatestRow];
    }

    /** Groups of the last successful repair, in ring order. */
    int[] changedRow() {
        return bestRow;
    }

    /**
     * Places a broken group again, perhaps with its neighbours. False if that is not possible; the board is then
     * unchanged.
     */
    boolean repair(int group) {
        leftKnown = 0;
        rightKnown = 0;
        bestCost = -1;
        for (int size = 1; size <= greatestRow && bestCost < 0; size++) {
            if (size > 1 && !grow(group, size)) {
                return false;
            }
            for (int before = 0; before < size; before++) {
                if (row(group, before, size)) {
                    tryRow(size);
                }
            }
            if (size == 1 && bestCost < 0) {
                trySeatsElsewhere(group);
            }
            if (size == 1 && bestCost < 0) {
                tryAcrossNeighbours(group);
            }
        }
        if (bestCost < 0) {
            return false;
        }
        apply();
        return true;
    }

    /** Learns the neighbours needed for rows of {@code size}; false if there are none on either side. */
    private boolean grow(int group, int size) {
        boolean leftGrown = leftKnown >= size - 1 || addLeft(group);
        boolean rightGrown = rightKnown >= size - 1 || addRight(group);
        return leftGrown || rightGrown || leftKnown + rightKnown + 1 >= size;
    }

    private boolean addLeft(int group) {
        int edge = board.first(leftKnown == 0 ? group : toLeft[leftKnown - 1]);
        int next = neighbour(edge, true);
        if (next < 0 || next == group || !board.movable[next] || contains(toRight, rightKnown, next)) {
            return false;
        }
        toLeft = leftKnown == toLeft.length ? Arrays.copyOf(toLeft, 2 * leftKnown) : toLeft;
        toLeft[leftKnown++] = next;
        return true;
    }

    private boolean addRight(int group) {
        int edge = board.last(rightKnown == 0 ? group : toRight[rightKnown - 1]);
        int next = neighbour(edge, false);
        if (next < 0 || next == group || !board.movable[next] || contains(toLeft, leftKnown, next)) {
            return false;
        }
        toRight = rightKnown == toRight.length ? Arrays.copyOf(toRight, 2 * rightKnown) : toRight;
        toRight[rightKnown++] = next;
        return true;
    }

    private static boolean contains(int[] groups, int known, int group) {
        for (int i = 0; i < known; i++) {
            if (groups[i] == group) {
                return true;
            }
        }
        return false;
    }

    /** The group whose seat comes next, if it begins (ends) there, so that rows never interleave with others. */
    private int neighbour(int edge, boolean leftwards) {
        int mine = board.owner[edge];
        int at = edge;
        for (int step = 0; step < board.n; step++) {
            at = leftwards ? board.left(at) : board.right(at);
            if (at < 0) {
                return -1;
            }
            int other = board.owner[at];
            if (other != RingBoard.NO_GROUP && other != mine) {
                boolean facing = at == (leftwards ? board.last(other) : board.first(other));
                return facing ? other : -1;
            }
        }
        return -1;
    }

    private boolean row(int group, int before, int size) {
        int after = size - 1 - before;
        if (before > leftKnown || after > rightKnown) {
            return false;
        }
        for (int i = 0; i < before; i++) {
            row[i] = toLeft[before - 1 - i];
        }
        row[before] = group;
        for (int i = 0; i < after; i++) {
            row[before + 1 + i] = toRight[i];
        }
        return true;
    }

    private void tryRow(int size) {
        int first = board.first(row[0]);
        int last = board.last(row[size - 1]);
        int span = board.hop(first, last) + 1;
        if (span <= 0) {
            return;
        }
        int seats = 0;
        for (int i = 0; i < size; i++) {
            seats += board.members[row[i]].length;
        }
        Window window = window(first, span, seats, true);
        if (mayFit(window.start, window.length, size)) {
            fill(window.start, window.length, size);
            solve(size);
        }
    }

    private record Window(int start, int length) {}

    /** The row's positions with a margin on both sides, as far as the table of {@link BlockRepair} has room for it. */
    private Window window(int first, int span, int seats, boolean free) {
        int margin = (board.members[row[0]].length + 1) * board.fabric.reach();
        int end = Math.floorMod(first + span - 1, board.n);
        int left = steps(first, true, Math.min(margin, board.n - span), free);
        int right = steps(end, false, Math.min(margin, board.n - span - left), free);
        if (BlockRepair.tooLarge(span + left + right, seats, board.fabric.reach())) {
            int most = Math.max(0, (BlockRepair.mostPositions(seats, board.fabric.reach()) - span) / 2);
            left = Math.min(left, most);
            right = Math.min(right, most);
        }
        return new Window(back(first, left), span + left + right);
    }

    /** How far the window may reach from an edge. */
    private int steps(int edge, boolean leftwards, int most, boolean free) {
        int at = edge;
        for (int step = 0; step < most; step++) {
            at = leftwards ? board.left(at) : board.right(at);
            if (at < 0 || free && board.owner[at] != RingBoard.NO_GROUP) {
                return step;
            }
        }
        return Math.max(0, most);
    }

    /**
     * False only if the row cannot be placed there, whatever the bundles: each group ends as early as possible, over
     * every healthy node. Spares that no hop reaches make long rows fail often, and this check finds it without the
     * tables of {@link BlockRepair}. O(length).
     */
    private boolean mayFit(int start, int length, int size) {
        int at = start;
        int group = 0;
        int wanted = board.members[row[0]].length;
        int dark = 0;
        for (int i = 0; i < length; i++) {
            if (board.usable[at]) {
                dark = 0;
                wanted--;
                if (wanted == 0) {
                    group++;
                    if (group == size) {
                        return true;
                    }
                    wanted = board.members[row[group]].length;
                }
            } else if (++dark >= board.fabric.reach()) {
                wanted = board.members[row[group]].length;
            }
            at = i + 1 < length ? board.right(at) : at;
        }
        return false;
    }

    /** Spare nodes that lie beyond nodes of other groups but within reach: the groups then interleave. */
    private void tryAcrossNeighbours(int group) {
        row[0] = group;
        int first = board.first(group);
        int span = board.hop(first, board.last(group)) + 1;
        if (span <= 0) {
            return;
        }
        Window window = window(first, span, board.members[group].length, false);
        fill(window.start, window.length, 1);
        solve(1);
    }

    private void fill(int start, int length, int size) {
        windowStart = start;
        block.window(length);
        block.noGroups();
        int at = start;
        for (int i = 0; i < length; i++) {
            int owner = board.owner[at];
            int seat = owner == RingBoard.NO_GROUP ? -1 : seatInRow(owner, board.rank[at], size);
            boolean mine = owner == RingBoard.NO_GROUP || seat >= 0;
            block.usable[i] = mine && board.usable[at];
            block.lost[i] = board.lost[at];
            block.before[i] = mine ? board.statesAt(at) : block.idle();
            block.seatBefore[i] = seat;
            at = i + 1 < length ? board.right(at) : at;
        }
        for (int i = 0; i < size; i++) {
            block.group(board.members[row[i]].length);
        }
        if (board.racked) {
            fillCrossings(start, length, size);
        }
    }

    private void fillCrossings(int start, int length, int size) {
        if (block.tooLarge()) {
            return;
        }
        block.racked();
        int seat = 0;
        for (int k = 0; k < size; k++) {
            for (int rank = 0; rank < board.members[row[k]].length; rank++, seat++) {
                for (int i = 0; i < length; i++) {
                    int at = start + i;
                    block.crossings[seat * length + i] =
                            board.crossings(row[k], rank, at >= board.n ? at - board.n : at);
                }
            }
        }
    }

    private int seatInRow(int group, int rank, int size) {
        int seat = 0;
        for (int i = 0; i < size; i++) {
            if (row[i] == group) {
                return seat + rank;
            }
            seat += board.members[row[i]].length;
        }
        return -1;
    }

    private void solve(int size) {
        long cost = block.solve();
        if (cost < 0 || (bestCost >= 0 && bestCost <= cost)) {
            return;
        }
        bestCost = cost;
        bestRow = Arrays.copyOf(row, size);
        int seats = 0;
        for (int i = 0; i < size; i++) {
            seats += board.members[row[i]].length;
        }
        bestSeats = new int[seats];
        for (int seat = 0; seat < seats; seat++) {
            int at = windowStart + block.indexOfSeat(seat);
            bestSeats[seat] = at >= board.n ? at - board.n : at;
        }
    }

    /** The nearest free run that holds the group alone. */
    private void trySeatsElsewhere(int group) {
        row[0] = group;
        int size = board.members[group].length;
        long leaving = 0;
        for (int seat : board.members[group]) {
            leaving += Integer.bitCount(block.idle() & ~board.statesAt(seat)) * BlockRepair.BUNDLE_COST;
        }
        int leftEdge = board.first(group);
        int rightEdge = board.last(group);
        int radius = Math.min(searchRadius, board.n);
        for (boolean leftwards : new boolean[] {true, false}) {
            int at = leftwards ? leftEdge : rightEdge;
            int run = 0;
            int runUsable = 0;
            int unusable = 0;
            for (int step = 0; step < radius; step++) {
                at = leftwards ? board.left(at) : board.right(at);
                if (at < 0) {
                    break;
                }
                boolean free = board.owner[at] == RingBoard.NO_GROUP;
                unusable = free && board.usable[at] ? 0 : unusable + 1;
                if (!free || unusable >= board.fabric.reach()) {
                    run = 0;
                    runUsable = 0;
                    continue;
                }
                run++;
                runUsable += board.usable[at] ? 1 : 0;
                if (runUsable >= size && board.usable[at]) {
                    tryElsewhere(leftwards ? at : back(at, run - 1), run, leaving);
                    if (bestCost >= 0) {
                        return;
                    }
                }
            }
        }
    }

    private int back(int position, int steps) {
        return Math.floorMod(position - steps, board.n);
    }

    private void tryElsewhere(int start, int length, long leaving) {
        if (BlockRepair.tooLarge(length, board.members[row[0]].length, board.fabric.reach())) {
            return;
        }
        fill(start, length, 0);
        block.group(board.members[row[0]].length);
        if (board.racked) {
            fillCrossings(start, length, 1);
        }
        solve(1);
        if (bestCost >= 0) {
            bestCost += leaving;
        }
    }

    private void apply() {
        for (int group : bestRow) {
            board.leave(group);
        }
        int seat = 0;
        for (int group : bestRow) {
            int size = board.members[group].length;
            board.seat(group, Arrays.copyOfRange(bestSeats, seat, seat + size));
            seat += size;
        }
    }
}
