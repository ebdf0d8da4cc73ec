package dev.lightpath.planner.ring;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The fewest groups that must change so that as many groups of one size as possible are seated again, wherever the room is.
 *
 * <p>Unchanged groups cut the fibre into segments. A dynamic programme walks over the groups in ring order and chooses which stay:
 * value is the number of groups given up (the broken ones among them), state the balance of room gained and given up so
 * far. Exact for groups that do not interleave, as long as a segment gives up at most {@code width} groups; the width doubles
 * until the answer is narrower. On a ring one sound group is held fixed. O(groups * width * (size + broken)).
 */
final class MinimalRepair {

    private static final int UNREACHED = Integer.MAX_VALUE / 2;
    /** Stands in a row for room that stays free. */
    private static final Integer ROOM = -1;

    private static final long CELL_LIMIT = 40_000_000L;
    private static final long WORK_LIMIT = 20_000_000L;

    private final RingBoard board;
    private final int size;
    private final int origin;
    private final int length;
    private final int[] order;
    private final boolean[] usable;
    private final boolean[] broken;
    private final boolean[] fixed;
    private final int extra;

    private int[][] best;
    private int[][] fromBoundary;
    private int[][] fromBalance;
    private int span;

    /** @param extra groups for which room is to be made besides those on the board */
    MinimalRepair(RingBoard board, int size, int extra) {
        this.board = board;
        this.size = size;
        this.extra = extra;
        int anchor = board.fabric.shape() == RingShape.RING ? farthestSound() : -1;
        this.origin = anchor < 0 ? 0 : (board.last(anchor) + 1) % board.n;
        this.length = anchor < 0 ? board.n : board.n - board.hop(board.first(anchor), board.last(anchor)) - 1;
        this.order = inRingOrder(anchor);
        this.usable = new boolean[length];
        for (int i = 0; i < length; i++) {
            usable[i] = board.usable[position(i)];
        }
        this.broken = new boolean[order.length];
        this.fixed = new boolean[order.length];
        this.span = extra;
        for (int k = 0; k < order.length; k++) {
            broken[k] = !board.intact(order[k]);
            fixed[k] = !broken[k] && !board.movable[order[k]];
            span += broken[k] ? 1 : 0;
        }
        this.best = new int[0][];
        this.fromBoundary = new int[0][];
        this.fromBalance = new int[0][];
    }

    private int position(int index) {
        return (origin + index) % board.n;
    }

    private int index(int position) {
        return Math.floorMod(position - origin, board.n);
    }

    /** A sound group with the most sound groups to either side, or -1. */
    private int farthestSound() {
        Integer[] byPosition = sorted(0);
        int chosen = -1;
        int runStart = -1;
        int longest = 0;
        for (int at = 0; at <= 2 * byPosition.length; at++) {
            boolean sound = at < 2 * byPosition.length && board.intact(byPosition[at % byPosition.length]);
            if (sound && runStart < 0) {
                runStart = at;
            }
            if (!sound && runStart >= 0) {
                if (at - runStart > longest) {
                    longest = at - runStart;
                    chosen = byPosition[(runStart + at) / 2 % byPosition.length];
                }
                runStart = -1;
            }
        }
        return runStart == 0 ? byPosition[0] : chosen;
    }

    private Integer[] sorted(int from) {
        return java.util.stream.IntStream.range(0, board.members.length)
                .boxed()
                .sorted(Comparator.comparingInt(group -> Math.floorMod(board.first(group) - from, board.n)))
                .toArray(Integer[]::new);
    }

    private int[] inRingOrder(int anchor) {
        return Arrays.stream(sorted(origin))
                .filter(group -> group != anchor)
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** Repairs the board; indices of groups for which no room is left, whose seats are given up. */
    List<Integer> repair() {
        int width = Math.min(order.length, 8 * (span + 1));
        int possible = Math.min(0, room(stretch(), 0, length) - order.length);
        while (true) {
            int balance = walk(width);
            List<int[]> segments = segments(balance);
            boolean certain = balance >= possible && best[order.length + 1][balance + span] <= width;
            int wider = Math.min(order.length, 2 * width);
            if (certain || width >= order.length || order.length * (long) wider * (2L * span + 1) > 4 * WORK_LIMIT) {
                return seat(segments);
            }
            width = wider;
        }
    }

    /**
     * Moves the fewest groups that make the extra room, if no more than {@code budget}; otherwise leaves the board as it is and
     * returns false.
     */
    boolean makeRoom(int budget) {
        int width = Math.min(order.length, budget);
        if (walk(width) < 0 || best[order.length + 1][span] > budget) {
            return false;
        }
        seat(segments(0));
        return true;
    }

    /** Whether the tables stay small enough to answer at once. */
    boolean isTractable() {
        long width = Math.min(order.length, 8L * (span + 1));
        return order.length * width * (2L * span + 1) <= WORK_LIMIT;
    }

    /** Whether two groups share a stretch of the fibre, which this method cannot handle. */
    boolean interleaves() {
        for (int k = 0; k < order.length; k++) {
            int end = k + 1 < order.length ? index(board.first(order[k + 1])) : length;
            int first = index(board.first(order[k]));
            int last = index(board.last(order[k]));
            if (last < first ? !broken[k] : last >= end) {
                return true;
            }
        }
        return false;
    }

    /** First index behind boundary k (0 is the left end, k the k-th group). */
    private int behind(int boundary) {
        return boundary == 0 ? 0 : index(board.last(order[boundary - 1])) + 1;
    }

    private int before(int boundary) {
        return boundary == order.length + 1 ? length : index(board.first(order[boundary - 1]));
    }

    /** Fills the tables; the best balance, at most 0. */
    private int walk(int width) {
        int boundaries = order.length + 2;
        int balances = 2 * span + 1;
        best = new int[boundaries][balances];
        fromBoundary = new int[boundaries][balances];
        fromBalance = new int[boundaries][balances];
        for (int[] row : best) {
            Arrays.fill(row, UNREACHED);
        }
        best[0][span - extra] = 0;
        Stretch stretch = stretch();
        for (int i = 0; i + 1 < boundaries; i++) {
            if (i > 0 && broken[i - 1]) {
                continue;
            }
            int room = 0;
            int[] next = stretch.earliestGroup(behind(i), size);
            for (int j = i + 1; j < boundaries && j - i - 1 <= width; j++) {
                while (next.length > 0 && next[size - 1] < before(j)) {
                    room++;
                    next = stretch.earliestGroup(next[size - 1] + 1, size);
                }
                if (j <= order.length && broken[j - 1]) {
                    continue;
                }
                offer(i, j, room - (j - i - 1));
                if (j <= order.length && fixed[j - 1]) {
                    break;
                }
            }
        }
        int end = boundaries - 1;
        for (int balance = 0; balance >= -span; balance--) {
            int least = leastAt(end, balance);
            if (least < UNREACHED) {
                return balance;
            }
        }
        return -span;
    }

    /** Folds surplus room at the end into the balance asked for. */
    private int leastAt(int end, int balance) {
        if (balance == 0) {
            for (int surplus = 1; surplus <= span; surplus++) {
                if (best[end][span + surplus] < best[end][span]) {
                    best[end][span] = best[end][span + surplus];
                    fromBoundary[end][span] = fromBoundary[end][span + surplus];
                    fromBalance[end][span] = fromBalance[end][span + surplus];
                }
            }
        }
        return best[end][span + balance];
    }

    private void offer(int i, int j, int gain) {
        for (int balance = -span; balance <= span; balance++) {
            int removed = best[i][balance + span];
            int after = Math.min(span, balance + gain);
            if (removed >= UNREACHED || after < -span) {
                continue;
            }
            int given = removed + j - i - 1;
            if (given < best[j][after + span]) {
                best[j][after + span] = given;
                fromBoundary[j][after + span] = i;
                fromBalance[j][after + span] = balance;
            }
        }
    }

    private Stretch stretch() {
        return Stretch.ofArrays(board.fabric, origin, usable, lostPaths());
    }

    private int[] lostPaths() {
        int[] lost = new int[length];
        for (int i = 0; i < length; i++) {
            lost[i] = board.lost[position(i)];
        }
        return lost;
    }

    private List<int[]> segments(int balance) {
        List<int[]> segments = new ArrayList<>();
        int at = order.length + 1;
        int level = balance + span;
        while (at > 0) {
            int from = fromBoundary[at][level];
            level = fromBalance[at][level] + span;
            segments.addFirst(new int[] {from, at});
            at = from;
        }
        return segments;
    }

    private List<Integer> seat(List<int[]> segments) {
        Stretch stretch = stretch();
        List<List<Integer>> rows = new ArrayList<>();
        int[] spare = new int[segments.size()];
        List<Integer> moving = new ArrayList<>();
        for (int s = 0; s < segments.size(); s++) {
            int i = segments.get(s)[0];
            int j = segments.get(s)[1];
            List<Integer> row = new ArrayList<>();
            for (int k = i; k < j - 1; k++) {
                row.add(order[k]);
            }
            int room = room(stretch, behind(i), before(j));
            while (row.size() > room) {
                moving.add(removeOne(row));
            }
            spare[s] = room - row.size();
            rows.add(row);
        }
        moving.sort(Comparator.naturalOrder());
        for (int s = 0; s < segments.size(); s++) {
            while (spare[s] > 0 && !moving.isEmpty()) {
                rows.get(s).add(moving.removeFirst());
                spare[s]--;
            }
        }
        int open = extra;
        for (int s = 0; s < segments.size(); s++) {
            while (spare[s] > 0 && open > 0) {
                rows.get(s).add(ROOM);
                spare[s]--;
                open--;
            }
        }
        List<int[]> seats = new ArrayList<>();
        List<Integer> seated = new ArrayList<>();
        for (int s = 0; s < segments.size(); s++) {
            List<Integer> row = rows.get(s);
            if (row.stream().anyMatch(group -> !group.equals(ROOM))) {
                seats.addAll(fill(stretch, row, behind(segments.get(s)[0]), before(segments.get(s)[1])));
                seated.addAll(row);
            }
        }
        moving.forEach(board::leave);
        seated.stream().filter(group -> !group.equals(ROOM)).forEach(board::leave);
        for (int k = 0; k < seated.size(); k++) {
            if (!seated.get(k).equals(ROOM)) {
                board.seat(seated.get(k), seats.get(k));
            }
        }
        return moving;
    }

    private Integer removeOne(List<Integer> row) {
        for (int k = row.size() - 1; k >= 0; k--) {
            if (!board.intact(row.get(k))) {
                return row.remove(k);
            }
        }
        return row.removeLast();
    }

    private int room(Stretch stretch, int from, int to) {
        int room = 0;
        int[] next = stretch.earliestGroup(from, size);
        while (next.length > 0 && next[size - 1] < to) {
            room++;
            next = stretch.earliestGroup(next[size - 1] + 1, size);
        }
        return room;
    }

    /** Seats of a row of groups between two indices, with the least light moved. */
    private List<int[]> fill(Stretch stretch, List<Integer> row, int from, int to) {
        int seatsWanted = row.size() * size;
        List<int[]> seats = new ArrayList<>();
        if (BlockRepair.cells(to - from, seatsWanted, board.fabric.reach()) > CELL_LIMIT) {
            int at = from;
            for (int k = 0; k < row.size(); k++) {
                int[] group = stretch.earliestGroup(at, size);
                seats.add(Arrays.stream(group).map(this::position).toArray());
                at = group[size - 1] + 1;
            }
            return seats;
        }
        BlockRepair block = new BlockRepair(board.fabric.reach());
        block.window(to - from);
        block.noGroups();
        for (int i = from; i < to; i++) {
            int at = position(i);
            int owner = board.owner[at];
            int k = owner == RingBoard.NOBODY ? -1 : row.indexOf(owner);
            block.usable[i - from] = usable[i];
            block.lost[i - from] = board.lost[at];
            block.before[i - from] = board.statesAt(at);
            block.seatBefore[i - from] = k < 0 ? -1 : k * size + board.rank[at];
        }
        row.forEach(group -> block.group(size));
        if (block.solve() < 0) {
            throw new IllegalStateException("room for " + row.size() + " groups was counted but not found");
        }
        for (int k = 0; k < row.size(); k++) {
            int[] group = new int[size];
            for (int rank = 0; rank < size; rank++) {
                group[rank] = position(from + block.indexOfSeat(k * size + rank));
            }
            seats.add(group);
        }
        return seats;
    }
}
