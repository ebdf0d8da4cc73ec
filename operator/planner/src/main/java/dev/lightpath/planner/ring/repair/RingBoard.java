package dev.lightpath.planner.ring.repair;

import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.ring.placement.Stretch;
import java.util.Arrays;
import java.util.List;

/**
 * The positions of a ring as arrays that repairs change in place: which group uses a position, and which positions are
 * usable.
 *
 * <p>Groups are known by index; a group without members is lost. Free nodes are usable and not taken. Serves one
 * thread.
 */
final class RingBoard {

    static final int NO_GROUP = -1;

    final RingFabric fabric;
    final int n;
    final boolean[] usable;
    final int[] lost;
    final int[] owner;
    final int[] rank;
    final int[][] members;
    final boolean[] movable;
    /** Groups that take a share of a node: they move by other rules. */
    final boolean[] shared;
    /** Whether racks hold several nodes, so that the rack of a member matters. */
    final boolean racked;

    private final int[][] fellows;
    private final int[][] states;

    RingBoard(RingFabric fabric, List<RingGroup> groups) {
        this(fabric, groups, RingSets.consecutive(fabric, groups));
    }

    RingBoard(RingFabric fabric, List<RingGroup> groups, RingSets sets) {
        this.fabric = fabric;
        this.n = fabric.positions();
        this.usable = new boolean[n];
        this.lost = new int[n];
        this.owner = new int[n];
        this.rank = new int[n];
        this.members = new int[groups.size()][];
        this.movable = new boolean[groups.size()];
        this.shared = new boolean[groups.size()];
        this.racked = fabric.nodesPerTor() > 1;
        this.fellows = sets.fellows(groups);
        this.states = Stretch.statesByHop(fabric.reach());
        Arrays.fill(owner, NO_GROUP);
        Arrays.fill(movable, true);
        for (int group = 0; group < groups.size(); group++) {
            int[] seats = groups.get(group).members().stream()
                    .mapToInt(Integer::intValue)
                    .toArray();
            members[group] = seats;
            shared[group] = groups.get(group).shares() > 1;
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
        if (group == NO_GROUP) {
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
                owner[seat] = NO_GROUP;
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

    /**
     * Crossings between racks ({@code CrossTor}) of one rank of a group's set if its member had that position and the
     * others stay: 0 in sets that are not full.
     */
    int crossings(int group, int r, int position) {
        int[] others = fellows[group];
        if (others.length == 0) {
            return 0;
        }
        int distinct = 1;
        for (int i = 0; i < others.length; i++) {
            int tor = fabric.torOf(members[others[i]][r]);
            boolean seen = tor == fabric.torOf(position);
            for (int j = 0; j < i && !seen; j++) {
                seen = fabric.torOf(members[others[j]][r]) == tor;
            }
            distinct += seen ? 0 : 1;
        }
        return distinct > 1 ? distinct : 0;
    }

    /** Crossings of a group's set if it had these positions and the others stay. */
    int crossings(int group, int[] seats) {
        int crossings = 0;
        for (int r = 0; r < seats.length && fellows[group].length > 0; r++) {
            crossings += crossings(group, r, seats[r]);
        }
        return crossings;
    }
}
