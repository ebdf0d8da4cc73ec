package dev.lightpath.planner.ring;

import java.util.Arrays;
import java.util.List;

/**
 * The seats of a ring as arrays that repairs change in place: who sits where, and who can.
 *
 * <p>Groups are known by index; a group without members is lost. Free nodes are usable and taken by nobody. Serves one
 * thread.
 */
final class RingBoard {

    static final int NOBODY = -1;

    final RingFabric fabric;
    final int n;
    final boolean[] usable;
    final int[] lost;
    final int[] owner;
    final int[] rank;
    final int[][] members;
    final boolean[] movable;
    private final int[][] states;

    RingBoard(RingFabric fabric, List<RingGroup> groups) {
        this.fabric = fabric;
        this.n = fabric.positions();
        this.usable = new boolean[n];
        this.lost = new int[n];
        this.owner = new int[n];
        this.rank = new int[n];
        this.members = new int[groups.size()][];
        this.movable = new boolean[groups.size()];
        this.states = Stretch.statesByHop(fabric.reach());
        Arrays.fill(owner, NOBODY);
        Arrays.fill(movable, true);
        for (int group = 0; group < groups.size(); group++) {
            int[] seats = groups.get(group).members().stream()
                    .mapToInt(Integer::intValue)
                    .toArray();
            members[group] = seats;
            for (int r = 0; r < seats.length; r++) {
                owner[seats[r]] = group;
                rank[seats[r]] = r;
            }
        }
    }

    int right(int position) {
        int next = position + 1;
        return next < n ? next : fabric.shape() == RingShape.RING ? 0 : -1;
    }

    int left(int position) {
        return position > 0 ? position - 1 : fabric.shape() == RingShape.RING ? n - 1 : -1;
    }

    int first(int group) {
        return members[group][0];
    }

    int last(int group) {
        return members[group][members[group].length - 1];
    }

    int hop(int u, int v) {
        int hop = v - u;
        return hop < 0 && fabric.shape() == RingShape.RING ? hop + n : hop;
    }

    /** States wanted at a position by the group that sits there. */
    int statesAt(int position) {
        int group = owner[position];
        if (group == NOBODY) {
            return states[0][0];
        }
        int[] seats = members[group];
        int r = rank[position];
        int before = r == 0 ? 0 : within(hop(seats[r - 1], position));
        int after = r + 1 == seats.length ? 0 : within(hop(position, seats[r + 1]));
        int mask = states[before][after];
        return mask < 0 ? states[0][0] : mask;
    }

    private int within(int hop) {
        return hop < 0 || hop > fabric.reach() ? 0 : hop;
    }

    /** Whether all members are usable and every bundle can take the state that the group needs. */
    boolean intact(int group) {
        int[] seats = members[group];
        int before = 0;
        for (int r = 0; r < seats.length; r++) {
            int after = r + 1 == seats.length ? 0 : hop(seats[r], seats[r + 1]);
            if (!usable[seats[r]] || after < 0 || after > fabric.reach()) {
                return false;
            }
            int mask = states[before][after];
            if (mask < 0 || (mask & lost[seats[r]]) != 0) {
                return false;
            }
            before = after;
        }
        return true;
    }

    void leave(int group) {
        for (int seat : members[group]) {
            if (owner[seat] == group) {
                owner[seat] = NOBODY;
            }
        }
    }

    void seat(int group, int[] seats) {
        members[group] = seats;
        for (int r = 0; r < seats.length; r++) {
            owner[seats[r]] = group;
            rank[seats[r]] = r;
        }
    }
}
