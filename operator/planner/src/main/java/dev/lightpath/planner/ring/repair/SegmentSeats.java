package dev.lightpath.planner.ring.repair;

import dev.lightpath.planner.ring.placement.Stretch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Places groups of one size in the segments of a fibre that {@link MinimalRepair} chose: which groups stay in their
 * segment, which go to another, and the nodes for the fewest moved bundles.
 */
final class SegmentSeats {

    /** Marks, in a row, room that stays free. */
    private static final Integer ROOM = -1;

    private final RingBoard board;
    private final int size;
    private final int origin;
    private final boolean[] usable;
    private final Stretch stretch;

    /**
     * A piece of the fibre between two groups that stay.
     *
     * @param groups that sit there, in ring order
     * @param from first index
     * @param to first index behind it
     */
    record Segment(List<Integer> groups, int from, int to) {}

    /** @param stretch the fibre from {@code origin} on */
    SegmentSeats(RingBoard board, int size, int origin, Stretch stretch) {
        this.board = board;
        this.size = size;
        this.origin = origin;
        this.usable = stretch.usable;
        this.stretch = stretch;
    }

    private int position(int index) {
        return (origin + index) % board.n;
    }

    /**
     * Places the groups of all segments again, whose positions are given up.
     *
     * @param extra groups for which room is left in addition
     * @return the groups for which there is none
     */
    List<Integer> seat(List<Segment> segments, int extra) {
        List<List<Integer>> rows = new ArrayList<>();
        int[] spare = new int[segments.size()];
        List<Integer> moving = new ArrayList<>();
        for (int s = 0; s < segments.size(); s++) {
            List<Integer> row = new ArrayList<>(segments.get(s).groups());
            int room = stretch.room(segments.get(s).from(), segments.get(s).to(), size);
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
                seats.addAll(fill(row, segments.get(s).from(), segments.get(s).to()));
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

    /** Seats of a row of groups between two indices, with the least light moved. */
    private List<int[]> fill(List<Integer> row, int from, int to) {
        int seatsWanted = row.size() * size;
        List<int[]> seats = new ArrayList<>();
        if (BlockRepair.tooLarge(to - from, seatsWanted, board.fabric.reach())) {
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
            int k = owner == RingBoard.NO_GROUP ? -1 : row.indexOf(owner);
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
