package dev.lightpath.planner.ring.repair;

import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.ring.placement.Stretch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Where {@link SeatProgramme} cuts the fibre of a ring open, and where the groups lie on the cut fibre. */
final class FibreCuts {

    /** Nodes up to which every cut of a ring is tried, and how many are on a larger one. */
    private static final int SMALL = 40;

    private static final int CUTS = 2;
    private static final int MOST_OPEN_CHOICES = 60;

    private final RingBoard board;
    private final boolean[] broken;
    private final boolean[] movable;

    // of one cut
    private int origin;
    private int[] firstIndex = new int[0];
    private int[] lastIndex = new int[0];
    private int[] bit = new int[0];

    FibreCuts(RingBoard board, boolean[] broken, boolean[] movable) {
        this.board = board;
        this.broken = broken;
        this.movable = movable;
    }

    /** First index of a group on the cut fibre. */
    int first(int group) {
        return firstIndex[group];
    }

    int last(int group) {
        return lastIndex[group];
    }

    /** The bit that says whether a group is given up, while its members go by. */
    int bit(int group) {
        return bit[group];
    }

    /**
     * Positions at which no new group passes: one where nothing can, every one of a small ring, far from the broken
     * groups of a large.
     */
    List<Integer> all() {
        if (board.fabric.shape() == RingShape.LINE) {
            return List.of(0);
        }
        boolean[] passable = new boolean[board.n];
        for (int at = 0; at < board.n; at++) {
            int owner = board.owner[at];
            boolean held = owner != RingBoard.NO_GROUP && !broken[owner] && !movable[owner];
            passable[at] = board.usable[at] && !held;
        }
        int gap = Stretch.breakAfter(passable, board.fabric.reach());
        if (gap >= 0) {
            return List.of((gap + 1) % board.n);
        }
        List<Integer> cuts = new ArrayList<>();
        if (board.n <= SMALL) {
            for (int at = 0; at < board.n; at++) {
                cuts.add(at);
            }
            return cuts;
        }
        int farthest = farthestFromBroken();
        for (int k = 0; k < CUTS; k++) {
            cuts.add((farthest + k * board.fabric.reach()) % board.n);
        }
        return cuts;
    }

    private int farthestFromBroken() {
        int start = -1;
        int longest = -1;
        int middle = 0;
        for (int at = 0; at <= 2 * board.n; at++) {
            int owner = board.owner[at % board.n];
            if (owner == RingBoard.NO_GROUP || !broken[owner]) {
                continue;
            }
            if (start >= 0 && at - start > longest) {
                longest = at - start;
                middle = (start + at) / 2 % board.n;
            }
            start = at;
        }
        return middle;
    }

    int position(int index) {
        int at = origin + index;
        return at >= board.n ? at - board.n : at;
    }

    /** Lays the groups that may be given up over the cut fibre; false if too many overlap. */
    boolean lay(int cut) {
        origin = cut;
        firstIndex = new int[broken.length];
        lastIndex = new int[broken.length];
        bit = new int[broken.length];
        Arrays.fill(firstIndex, Integer.MAX_VALUE);
        Arrays.fill(lastIndex, -1);
        for (int group = 0; group < broken.length; group++) {
            for (int seat : board.members[group]) {
                int index = Math.floorMod(seat - cut, board.n);
                firstIndex[group] = Math.min(firstIndex[group], index);
                lastIndex[group] = Math.max(lastIndex[group], index);
            }
        }
        long taken = 0;
        for (int i = 0; i < board.n; i++) {
            int owner = board.owner[position(i)];
            if (owner == RingBoard.NO_GROUP || !movable[owner]) {
                continue;
            }
            if (firstIndex[owner] == i) {
                bit[owner] = Long.numberOfTrailingZeros(~taken);
                if (bit[owner] >= MOST_OPEN_CHOICES) {
                    return false;
                }
                taken |= 1L << bit[owner];
            }
            if (lastIndex[owner] == i) {
                taken &= ~(1L << bit[owner]);
            }
        }
        return true;
    }
}
