package dev.lightpath.planner.ring.repair;

import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.ring.placement.Stretch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The fewest groups that must change so that as many groups of one size as possible are placed again, anywhere on the
 * ring.
 *
 * <p>Unchanged groups cut the fibre into segments. A dynamic programme walks over the groups in ring order and chooses
 * which stay. Value: the number of groups given up, including the broken ones. State: the balance of room gained and
 * given up so far. It is exact for groups that do not interleave, as long as a segment gives up at most {@code width}
 * groups; the width doubles until the answer is narrower. On a ring one healthy group is held fixed. O(groups * width *
 * (size + broken)).
 */
final class MinimalRepair {

    private static final int UNREACHED = Integer.MAX_VALUE / 2;
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
        int possible = Math.min(0, stretch().room(0, length, size) - order.length);
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
     * Moves the fewest groups that make the extra room, if no more than {@code budget}; otherwise leaves the board as
     * it is and returns false.
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

    /** Whether two groups share a stretch of the fibre, which this method cannot handle. One may be the anchor. */
    boolean interleaves() {
        for (int k = 0; k < order.length; k++) {
            int end = k + 1 < order.length ? index(board.first(order[k + 1])) : length;
            int first = index(board.first(order[k]));
            int last = index(board.last(order[k]));
            boolean besideTheAnchor = first >= length;
            if (besideTheAnchor || (last < first ? !broken[k] : last >= end)) {
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

    private List<Integer> seat(List<int[]> boundaries) {
        List<SegmentSeats.Segment> segments = boundaries.stream()
                .map(pair -> new SegmentSeats.Segment(
                        Arrays.stream(order, pair[0], Math.max(pair[0], pair[1] - 1))
                                .boxed()
                                .toList(),
                        behind(pair[0]),
                        before(pair[1])))
                .toList();
        return new SegmentSeats(board, size, origin, stretch()).seat(segments, extra);
    }
}
