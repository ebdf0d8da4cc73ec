package dev.lightpath.planner.ring;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The usable parts of a fabric.
 *
 * <p>A faulty node is no member of any group. A healthy node may have lost single paths. A bundle that can only loop
 * back still serves a node whose neighbours in the group are reached by other bundles, such as the end of a group. A
 * bundle that can no longer loop back serves only where its path is needed.
 *
 * @param faulty ring positions of faulty nodes
 * @param lost per healthy position the paths that do not work (including {@code LOOPBACK})
 */
public record RingHealth(SortedSet<Integer> faulty, SortedMap<Integer, SortedSet<BundlePath>> lost) {

    public static final RingHealth ALL_WELL = new RingHealth(new TreeSet<>(), new TreeMap<>());

    public RingHealth {
        faulty = Collections.unmodifiableSortedSet(new TreeSet<>(faulty));
        SortedMap<Integer, SortedSet<BundlePath>> copy = new TreeMap<>();
        lost.forEach((position, paths) -> {
            if (!paths.isEmpty()) {
                copy.put(position, Collections.unmodifiableSortedSet(new TreeSet<>(paths)));
            }
        });
        lost = Collections.unmodifiableSortedMap(copy);
    }

    /** Whole nodes faulty, no partial faults. */
    public static RingHealth faulty(Set<Integer> positions) {
        return new RingHealth(new TreeSet<>(positions), new TreeMap<>());
    }

    /** Whole nodes faulty and single paths lost. */
    public static RingHealth of(Set<Integer> faulty, Map<Integer, ? extends Set<BundlePath>> lost) {
        SortedMap<Integer, SortedSet<BundlePath>> copy = new TreeMap<>();
        lost.forEach((position, paths) -> copy.put(position, new TreeSet<>(paths)));
        return new RingHealth(new TreeSet<>(faulty), copy);
    }

    public boolean isFaulty(int position) {
        return faulty.contains(position);
    }

    /** Bits of the lost paths of a node, three per bundle. */
    public int lostMask(int position) {
        int mask = 0;
        for (BundlePath path : lost.getOrDefault(position, Collections.emptySortedSet())) {
            mask |= path.bit();
        }
        return mask;
    }

    /**
     * Whether a group can become light: all members healthy, every hop within reach and every bundle able to take the
     * state it needs. Groups that take a share of a node need a healthy node only.
     */
    public boolean supports(RingFabric fabric, RingGroup group) {
        return reasonAgainst(fabric, group).isEmpty();
    }

    /**
     * Ranks of the members that keep a group from becoming light: faulty, or without a path that it needs of them.
     * O(members).
     */
    public SortedSet<Integer> culprits(RingFabric fabric, RingGroup group) {
        SortedSet<Integer> ranks = new TreeSet<>();
        PortMap ports = new PortMap(fabric.reach());
        List<Integer> members = group.members();
        for (int rank = 0; rank < members.size(); rank++) {
            int node = members.get(rank);
            if (!fabric.contains(node) || isFaulty(node)) {
                ranks.add(rank);
            } else if (group.shares() <= 1) {
                int before = rank == 0 ? 0 : fabric.hop(members.get(rank - 1), node);
                int after = rank + 1 == members.size() ? 0 : fabric.hop(node, members.get(rank + 1));
                boolean reaches = Math.max(before, after) <= fabric.reach() && Math.min(before, after) >= 0;
                int mask = reaches ? ports.statesMask(before, after) : 0;
                if (mask > 0 && (mask & lostMask(node)) != 0) {
                    ranks.add(rank);
                }
            }
        }
        return ranks;
    }

    /** Why a group cannot become light, or an empty string. */
    public String reasonAgainst(RingFabric fabric, RingGroup group) {
        PortMap ports = new PortMap(fabric.reach());
        int before = 0;
        for (int rank = 0; rank < group.size(); rank++) {
            int node = group.members().get(rank);
            if (!fabric.contains(node) || isFaulty(node)) {
                return "node " + node + " is faulty";
            }
            if (group.shares() > 1) {
                continue;
            }
            int after =
                    rank + 1 < group.size() ? fabric.hop(node, group.members().get(rank + 1)) : 0;
            if (after < 0 || after > fabric.reach()) {
                return "node " + group.members().get(rank + 1) + " is beyond the reach of node " + node;
            }
            int mask = ports.statesMask(before, after);
            if (mask < 0) {
                return "node " + node + " needs its mixed bundle on both sides";
            }
            if ((mask & lostMask(node)) != 0) {
                return "node " + node + " has lost a path that the group needs";
            }
            before = after;
        }
        return "";
    }
}
