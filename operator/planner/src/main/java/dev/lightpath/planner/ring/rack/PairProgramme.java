package dev.lightpath.planner.ring.rack;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The most aligned ranks of two parallel sub-lines, for every number of groups: an exact dynamic programme over
 * columns.
 *
 * <p>State: per sub-line the open group ({@link OpenGroup}), and how the two open groups are paired. A column where
 * both nodes join at the same rank of two groups that are partners counts one. Exact for groups that do not interleave
 * on a sub-line. O(columns * codes^2 * 5 * band), where the band is the width of group numbers that still matter.
 *
 * <p>Between columns the pairing is one of: both free, partners, left bound elsewhere, right bound elsewhere, both
 * bound elsewhere. Without {@code exactPairs} it is not kept, and the result is an upper bound.
 */
final class PairProgramme {

    private static final int FREE = 0;
    private static final int PARTNERS = 1;
    private static final int LEFT_BOUND = 2;
    private static final int RIGHT_BOUND = 3;
    private static final int BOTH_BOUND = 4;
    private static final int UNREACHED = -1;

    /** Most table cells a programme may use for its way back, 2 bytes each. */
    static final long CELL_LIMIT = 24_000_000L;

    private final OpenGroup open;
    private final int size;
    private final int flags;
    private final int columns;
    private final int least;
    private final int most;
    private final int width;
    private final int[] offset;
    private final boolean[] left;
    private final boolean[] right;
    /** Per column the state before each cell; null if it is found again when it is wanted. */
    private final char @Nullable [][] came;

    private final int[] last;

    /**
     * @param left per column whether the first sub-line's node can be used
     * @param right the same of the second
     * @param size m, at least 2
     * @param least fewest groups of interest
     * @param room table cells that may be held for the way back; if there are more, {@link #groups} walks again
     */
    PairProgramme(boolean[] left, boolean[] right, int size, int reach, int least, boolean exactPairs, long room) {
        this.left = left;
        this.right = right;
        this.open = new OpenGroup(size, reach);
        this.size = size;
        this.flags = exactPairs ? 5 : 1;
        this.columns = left.length;
        Runs runs = new Runs(size, reach);
        this.most = runs.count(left, 0, columns) + runs.count(right, 0, columns);
        this.least = Math.max(0, Math.min(least, most));
        this.offset = new int[columns + 1];
        int[] ahead = ahead(left, right);
        int[] behind = behind(left, right);
        int widest = 1;
        for (int column = 0; column <= columns; column++) {
            offset[column] = Math.max(0, this.least - ahead[column]);
            widest = Math.max(widest, behind[column] - offset[column] + 1);
        }
        this.width = widest;
        this.came = (long) columns * cells() <= room ? new char[columns][] : null;
        this.last = run(came);
    }

    /** Table cells that it holds. */
    long held() {
        return came == null ? 0 : (long) columns * cells();
    }

    private int cells() {
        return open.codes * open.codes * flags * width;
    }

    /** Table cells that a programme would need. */
    static long cells(int columns, int size, int reach, int band, boolean exactPairs) {
        long codes = 1 + (long) (size - 1) * ((reach & 1) == 1 ? 2 * reach - 1 : reach);
        return columns * codes * codes * (exactPairs ? 5 : 1) * band;
    }

    /** At most this many groups can still be closed from a column on: whole ones, and one open on either side. */
    private int[] ahead(boolean[] left, boolean[] right) {
        int[] ahead = new int[columns + 1];
        int usableLeft = 0;
        int usableRight = 0;
        for (int column = columns; column >= 0; column--) {
            if (column < columns) {
                usableLeft += left[column] ? 1 : 0;
                usableRight += right[column] ? 1 : 0;
            }
            ahead[column] = (usableLeft + size - 1) / size + (usableRight + size - 1) / size;
        }
        return ahead;
    }

    private int[] behind(boolean[] left, boolean[] right) {
        int[] behind = new int[columns + 1];
        int usableLeft = 0;
        int usableRight = 0;
        for (int column = 0; column < columns; column++) {
            usableLeft += left[column] ? 1 : 0;
            usableRight += right[column] ? 1 : 0;
            behind[column + 1] = Math.min(most, usableLeft / size + usableRight / size);
        }
        return behind;
    }

    int least() {
        return least;
    }

    int most() {
        return most;
    }

    /** Most aligned ranks with exactly this many groups; -1 if impossible. */
    int aligned(int groups) {
        int at = groups - offset[columns];
        return at < 0 || at >= width ? UNREACHED : last[at];
    }

    /** @param way filled with the state before each cell, column by column, if it is wanted */
    private int[] run(char @Nullable [][] way) {
        int codes = open.codes;
        int cells = cells();
        int[] now = new int[cells];
        int[] next = new int[cells];
        boolean[] live = new boolean[codes * codes * flags];
        boolean[] liveNext = new boolean[codes * codes * flags];
        Arrays.fill(now, UNREACHED);
        now[0] = 0;
        live[0] = true;
        char[] back = new char[way == null ? cells : 0];
        for (int column = 0; column < columns; column++) {
            Arrays.fill(next, UNREACHED);
            Arrays.fill(liveNext, false);
            if (way != null) {
                back = new char[cells];
                way[column] = back;
            }
            int shift = offset[column] - offset[column + 1];
            for (int state = 0; state < live.length; state++) {
                if (live[state]) {
                    advance(back, state, left[column], right[column], now, next, liveNext, shift);
                }
            }
            int[] swap = now;
            now = next;
            next = swap;
            boolean[] swapLive = live;
            live = liveNext;
            liveNext = swapLive;
        }
        return Arrays.copyOf(now, width);
    }

    private void advance(
            char[] back, int state, boolean left, boolean right, int[] now, int[] next, boolean[] live, int shift) {
        int flag = state % flags;
        int a = state / flags / open.codes;
        int b = state / flags % open.codes;
        for (int useA = 0; useA <= (left ? 1 : 0); useA++) {
            int nextA = useA == 1 ? open.use[a] : open.skip[a];
            if (nextA == OpenGroup.DEAD) {
                continue;
            }
            boolean closeA = useA == 1 && open.closes[a];
            for (int useB = 0; useB <= (right ? 1 : 0); useB++) {
                int nextB = useB == 1 ? open.use[b] : open.skip[b];
                if (nextB == OpenGroup.DEAD) {
                    continue;
                }
                boolean closeB = useB == 1 && open.closes[b];
                boolean meet = useA == 1 && useB == 1 && open.rank[a] == open.rank[b];
                int closed = (closeA ? 1 : 0) + (closeB ? 1 : 0);
                if (flags == 1) {
                    offer(back, state, nextA, nextB, 0, meet ? 1 : 0, closed, now, next, live, shift);
                } else {
                    if (meet && (flag == FREE || flag == PARTNERS)) {
                        int after = after(PARTNERS, closeA, closeB, nextA, nextB);
                        offer(back, state, nextA, nextB, after, 1, closed, now, next, live, shift);
                    }
                    if (!meet || flag != PARTNERS) {
                        int after = after(flag, closeA, closeB, nextA, nextB);
                        offer(back, state, nextA, nextB, after, 0, closed, now, next, live, shift);
                    }
                }
            }
        }
    }

    private static int after(int flag, boolean closeA, boolean closeB, int nextA, int nextB) {
        boolean leftBound = flag == LEFT_BOUND || flag == BOTH_BOUND || (flag == PARTNERS && closeB);
        boolean rightBound = flag == RIGHT_BOUND || flag == BOTH_BOUND || (flag == PARTNERS && closeA);
        if (flag == PARTNERS && !closeA && !closeB) {
            return PARTNERS;
        }
        leftBound &= nextA != 0;
        rightBound &= nextB != 0;
        return leftBound ? (rightBound ? BOTH_BOUND : LEFT_BOUND) : rightBound ? RIGHT_BOUND : FREE;
    }

    private void offer(
            char[] back,
            int state,
            int nextA,
            int nextB,
            int nextFlag,
            int gain,
            int closed,
            int[] now,
            int[] next,
            boolean[] live,
            int shift) {
        int target = (nextA * open.codes + nextB) * flags + nextFlag;
        int from = state * width;
        int to = target * width + closed + shift;
        int first = Math.max(0, -(closed + shift));
        int end = Math.min(width, width - closed - shift);
        boolean any = false;
        for (int g = first; g < end; g++) {
            int value = now[from + g];
            if (value != UNREACHED && value + gain > next[to + g]) {
                next[to + g] = value + gain;
                back[to + g] = (char) state;
                any = true;
            }
        }
        live[target] |= any;
    }

    /** A best placement with exactly this many groups: per sub-line its groups as column indices. */
    List<List<int[]>> groups(int groups) {
        char[][] way = came;
        if (way == null) {
            way = new char[columns][];
            run(way);
        }
        boolean[][] used = new boolean[2][columns];
        int state = 0;
        int g = groups;
        for (int column = columns - 1; column >= 0; column--) {
            int before = way[column][state * width + g - offset[column + 1]];
            int a = before / flags / open.codes;
            int b = before / flags % open.codes;
            int nextA = state / flags / open.codes;
            int nextB = state / flags % open.codes;
            used[0][column] = joined(a, nextA);
            used[1][column] = joined(b, nextB);
            g -= (used[0][column] && open.closes[a] ? 1 : 0) + (used[1][column] && open.closes[b] ? 1 : 0);
            state = before;
        }
        return List.of(cut(used[0]), cut(used[1]));
    }

    private boolean joined(int before, int after) {
        return open.skip[before] != after;
    }

    private List<int[]> cut(boolean[] used) {
        List<int[]> groups = new ArrayList<>();
        int[] group = new int[size];
        int rank = 0;
        for (int column = 0; column < columns; column++) {
            if (used[column]) {
                group[rank++] = column;
                if (rank == size) {
                    groups.add(group);
                    group = new int[size];
                    rank = 0;
                }
            }
        }
        return groups;
    }
}
