package dev.lightpath.planner.ring.repair;

import dev.lightpath.planner.ring.PortMap;
import dev.lightpath.planner.ring.placement.Stretch;
import java.util.Arrays;

/**
 * The cheapest way to place a row of groups again in a window of positions, keeping their order.
 *
 * <p>Dynamic programme over (position, seat, hop to the member before). Seats are numbered through all groups. The cost
 * counts crossings between racks first, because they last as long as the job. Bundles whose state changes come second,
 * and members on another node third. A band of seats that can still be reached keeps it near O(window * (spare nodes +
 * 1) * K^2).
 *
 * <p>Buffers are reused, so an instance serves one thread.
 */
final class BlockRepair {

    static final long BUNDLE_COST = 1L << 20;
    /** More than the bundles of the longest row. */
    static final long CROSSING_COST = 1L << 42;

    private static final long UNREACHED = Long.MAX_VALUE;

    /** Most table cells for a window, 9 bytes each. */
    private static final long CELL_LIMIT = 40_000_000L;

    private final int reach;
    private final int[][] states;

    // the window
    int length;
    boolean[] usable = new boolean[64];
    int[] lost = new int[64];
    /** States now wanted at each position, see {@link PortMap#statesMask}. */
    int[] before = new int[64];
    /** Seat now taken at each position, -1 for none. */
    int[] seatBefore = new int[64];

    /** Crossings of each seat at each index, row by row of {@link #length}; read only if {@link #racked}. */
    int[] crossings = new int[0];

    boolean racked;

    // the groups
    private int seats;
    private int[] left = new int[64];
    private int[] groupOfSeat = new int[64];
    private int[] firstSeat = new int[64];

    private long[] open = new long[0];
    private byte[] openFrom = new byte[0];
    private long[] done = new long[0];
    private byte[] doneFrom = new byte[0];
    private long[] dark = new long[0];
    private int[] usableFrom = new int[0];
    private int[] seatAt = new int[64];
    private int groups;

    BlockRepair(int reach) {
        this.reach = reach;
        this.states = Stretch.statesByHop(reach);
    }

    int idle() {
        return states[0][0];
    }

    /** Makes room for a window; its arrays are then filled by the caller. */
    void window(int positions) {
        length = positions;
        if (usable.length < positions) {
            int room = Math.max(positions, 2 * usable.length);
            usable = new boolean[room];
            lost = new int[room];
            before = new int[room];
            seatBefore = new int[room];
        }
    }

    void noGroups() {
        racked = false;
        seats = 0;
        groups = 0;
    }

    /** Appends a group of {@code size} seats. */
    void group(int size) {
        if (left.length < seats + size) {
            int room = Math.max(seats + size, 2 * left.length);
            left = Arrays.copyOf(left, room);
            groupOfSeat = Arrays.copyOf(groupOfSeat, room);
            seatAt = Arrays.copyOf(seatAt, room);
            firstSeat = Arrays.copyOf(firstSeat, room);
        }
        firstSeat[groups] = seats;
        for (int rank = 0; rank < size; rank++) {
            left[seats] = size - 1 - rank;
            groupOfSeat[seats] = groups;
            seats++;
        }
        groups++;
    }

    /** Makes room for the crossings of all seats, once the groups are appended. */
    void racked() {
        racked = true;
        if (crossings.length < seats * length) {
            crossings = new int[seats * length];
        }
    }

    /** Window index of a seat after {@link #solve}. */
    int indexOfSeat(int seat) {
        return seatAt[seat];
    }

    /** Whether the table for this window and its groups would take more than 360 MB. */
    boolean tooLarge() {
        return tooLarge(length, seats, reach);
    }

    static boolean tooLarge(int positions, int seats, int reach) {
        return positions > mostPositions(seats, reach);
    }

    /** Positions of the longest window for so many seats. */
    static int mostPositions(int seats, int reach) {
        return (int) (CELL_LIMIT / (Math.max(1L, seats) * (reach + 1)));
    }

    /** The cost of the cheapest seating, or -1 if the groups do not fit or the table would be too large. */
    long solve() {
        if (tooLarge()) {
            return -1;
        }
        prepare();
        int width = reach + 1;
        for (int i = 0; i < length; i++) {
            int leastSeat = Math.max(0, seats - usableFrom[i]);
            for (int j = 0; j <= groups; j++) {
                long cost = done[i * (groups + 1) + j];
                if (cost == UNREACHED) {
                    continue;
                }
                offerDone(i + 1, j, cost + dark[i], (byte) -1);
                if (usable[i] && j < groups) {
                    offerOpen(i, firstSeat[j], 0, cost, (byte) 0);
                }
            }
            if (!usable[i]) {
                continue;
            }
            int mostSeat = Math.min(seats - 1, usableFrom[0] - usableFrom[i]);
            for (int seat = leastSeat; seat <= mostSeat; seat++) {
                int cell = (i * seats + seat) * width;
                for (int hop = 0; hop <= reach; hop++) {
                    if (open[cell + hop] != UNREACHED) {
                        leave(i, seat, hop, open[cell + hop]);
                    }
                }
            }
        }
        long cost = done[length * (groups + 1) + groups];
        if (cost == UNREACHED) {
            return -1;
        }
        trace();
        return cost;
    }

    private void prepare() {
        int cells = length * seats * (reach + 1);
        if (open.length < cells) {
            open = new long[cells];
            openFrom = new byte[cells];
        }
        Arrays.fill(open, 0, cells, UNREACHED);
        int rows = (length + 1) * (groups + 1);
        if (done.length < rows) {
            done = new long[rows];
            doneFrom = new byte[rows];
        }
        Arrays.fill(done, 0, rows, UNREACHED);
        done[0] = 0;
        if (dark.length <= length) {
            dark = new long[length + 1];
            usableFrom = new int[length + 1];
        }
        usableFrom[length] = 0;
        for (int i = length - 1; i >= 0; i--) {
            dark[i] = changed(i, idle());
            usableFrom[i] = usableFrom[i + 1] + (usable[i] ? 1 : 0);
        }
    }

    private long changed(int index, int after) {
        return Integer.bitCount(after & ~before[index]) * BUNDLE_COST;
    }

    private void leave(int i, int seat, int hop, long cost) {
        long here =
                cost + (seatBefore[i] == seat ? 0 : 1) + (racked ? crossings[seat * length + i] * CROSSING_COST : 0);
        if (left[seat] == 0) {
            int mask = states[hop][0];
            if ((mask & lost[i]) == 0) {
                offerDone(i + 1, groupOfSeat[seat] + 1, here + changed(i, mask), (byte) hop);
            }
            return;
        }
        long passed = 0;
        for (int next = 1; next <= reach && i + next < length; next++) {
            if (usable[i + next]) {
                int mask = states[hop][next];
                if (mask >= 0 && (mask & lost[i]) == 0) {
                    offerOpen(i + next, seat + 1, next, here + passed + changed(i, mask), (byte) hop);
                }
            }
            passed += dark[i + next];
        }
    }

    private void offerOpen(int i, int seat, int hop, long cost, byte from) {
        int cell = (i * seats + seat) * (reach + 1) + hop;
        if (cost < open[cell]) {
            open[cell] = cost;
            openFrom[cell] = from;
        }
    }

    private void offerDone(int i, int group, long cost, byte from) {
        int cell = i * (groups + 1) + group;
        if (cost < done[cell]) {
            done[cell] = cost;
            doneFrom[cell] = from;
        }
    }

    private void trace() {
        int i = length;
        int group = groups;
        while (group > 0) {
            int from = doneFrom[i * (groups + 1) + group];
            i--;
            if (from < 0) {
                continue;
            }
            int hop = from;
            int seat = firstSeat[group - 1];
            seat += left[seat];
            while (true) {
                seatAt[seat] = i;
                int earlier = openFrom[(i * seats + seat) * (reach + 1) + hop];
                if (hop == 0) {
                    break;
                }
                i -= hop;
                hop = earlier;
                seat--;
            }
            group--;
        }
    }
}
