package dev.lightpath.planner.ring;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The nodes (or the part of one node) whose GPUs form one tensor-parallel ring.
 *
 * @param members ring positions in ring order, which is rank order; a wrapping group on 8 positions is
 *     {@code [7, 0, 1]}
 * @param share which part of its only node the group takes, 0..shares-1; 0 for whole nodes
 * @param shares in how many groups that node is divided; 1 for whole nodes
 */
public record RingGroup(List<Integer> members, int share, int shares) {

    public RingGroup {
        members = List.copyOf(members);
        if (members.isEmpty()) {
            throw new IllegalArgumentException("a group needs at least one member");
        }
        if (new HashSet<>(members).size() != members.size()) {
            throw new IllegalArgumentException("group " + members + " lists a node twice");
        }
        if (shares < 1 || share < 0 || share >= shares) {
            throw new IllegalArgumentException("share = " + share + " of " + shares + ": must be 0.." + (shares - 1));
        }
        if (shares > 1 && members.size() > 1) {
            throw new IllegalArgumentException("group " + members + " spans nodes, so it cannot take a share of one");
        }
    }

    /** A group of whole nodes. */
    public static RingGroup of(List<Integer> members) {
        return new RingGroup(members, 0, 1);
    }

    /** A group of whole nodes. */
    public static RingGroup of(int... members) {
        return of(Arrays.stream(members).boxed().toList());
    }

    public int size() {
        return members.size();
    }

    public int first() {
        return members.getFirst();
    }

    public int last() {
        return members.getLast();
    }

    @Override
    public String toString() {
        String nodes = members.stream().map(String::valueOf).collect(Collectors.joining(" ", "[", "]"));
        return shares == 1 ? nodes : nodes + " share " + share + "/" + shares;
    }
}
