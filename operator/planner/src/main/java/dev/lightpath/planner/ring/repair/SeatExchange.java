package dev.lightpath.planner.ring.repair;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Assigns moving groups to new positions: first in their order along the fibre. Then groups exchange positions as long
 * as this gives fewer crossings between racks, or as many and fewer moved members.
 */
final class SeatExchange {

    /** Rounds beyond which an exchange is good enough. */
    private static final int ROUNDS = 8;

    private static final int MOST_COMPARED = 64;
    private static final int CROSSING = 1 << 16;

    private final RingBoard board;

    SeatExchange(RingBoard board) {
        this.board = board;
    }

    /**
     * Assigns groups of any sizes to positions for groups of the same sizes.
     *
     * @param moving groups, whose positions are given up
     * @param seats at least as many of each size as groups that are to be placed; the rest stays free
     * @return the groups without new positions; broken groups that come late in the request are the first of them
     */
    List<Integer> seat(List<Integer> moving, List<int[]> seats) {
        List<Integer> without = new ArrayList<>();
        List<Integer> seated = new ArrayList<>();
        List<int[]> places = new ArrayList<>();
        moving.stream()
                .map(group -> board.members[group].length)
                .distinct()
                .sorted()
                .forEach(size -> {
                    List<Integer> groups = new ArrayList<>(moving.stream()
                            .filter(group -> board.members[group].length == size)
                            .sorted(Comparator.comparing((Integer group) -> !board.intact(group))
                                    .thenComparing(Comparator.naturalOrder()))
                            .toList());
                    List<int[]> of =
                            seats.stream().filter(seat -> seat.length == size).toList();
                    while (groups.size() > of.size()) {
                        without.add(groups.removeLast());
                    }
                    groups.sort(Comparator.comparingInt(board::first));
                    seated.addAll(groups);
                    places.addAll(nearest(groups, of));
                });
        List<int[]> exchanged = exchange(seated, places);
        moving.forEach(board::leave);
        for (int k = 0; k < seated.size(); k++) {
            board.seat(seated.get(k), exchanged.get(k));
        }
        return without;
    }

    /** As many of the seats as there are groups, those turned by which the fewest members move. */
    private List<int[]> nearest(List<Integer> groups, List<int[]> seats) {
        List<int[]> sorted = new ArrayList<>(seats);
        sorted.sort(Comparator.comparingInt(seat -> seat[0]));
        List<int[]> best = sorted.subList(0, groups.size());
        long least = Long.MAX_VALUE;
        for (int turn = 0; turn < sorted.size() && turn < MOST_COMPARED; turn++) {
            List<int[]> turned = new ArrayList<>();
            long cost = 0;
            for (int k = 0; k < groups.size(); k++) {
                turned.add(sorted.get((k + turn) % sorted.size()));
                cost += cost(groups.get(k), turned.getLast());
            }
            if (cost < least) {
                least = cost;
                best = turned;
            }
        }
        return best;
    }

    private List<int[]> exchange(List<Integer> groups, List<int[]> places) {
        List<int[]> seats = new ArrayList<>(places);
        boolean better = groups.size() <= MOST_COMPARED;
        for (int round = 0; better && round < ROUNDS; round++) {
            better = false;
            for (int a = 0; a < groups.size(); a++) {
                for (int b = a + 1; b < groups.size(); b++) {
                    if (seats.get(a).length != seats.get(b).length) {
                        continue;
                    }
                    long now = cost(groups.get(a), seats.get(a)) + cost(groups.get(b), seats.get(b));
                    long then = cost(groups.get(a), seats.get(b)) + cost(groups.get(b), seats.get(a));
                    if (then < now) {
                        int[] seat = seats.get(a);
                        seats.set(a, seats.get(b));
                        seats.set(b, seat);
                        better = true;
                    }
                }
            }
        }
        return seats;
    }

    private long cost(int group, int[] seats) {
        int moved = 0;
        int[] old = board.members[group];
        for (int r = 0; r < seats.length; r++) {
            moved += old[r] == seats[r] ? 0 : 1;
        }
        return (long) CROSSING * board.crossings(group, seats) + moved;
    }
}
