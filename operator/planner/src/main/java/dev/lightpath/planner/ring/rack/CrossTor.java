package dev.lightpath.planner.ring.rack;

import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import java.util.List;

/**
 * How much of the traffic between groups has to leave its rack (InfinitePOD section 6.4).
 *
 * <p>Each p consecutive groups of a job form a set (context parallelism); members of equal rank talk. A rank of a set
 * that sits below D top-of-rack switches crosses D times if D > 1; in a last set of fewer than p groups every member
 * crosses.
 */
public final class CrossTor {

    private CrossTor() {}

    /** Crossings of an ordered list of groups of equal size. O(members * p). */
    public static long crossings(RingFabric fabric, List<RingGroup> groups) {
        int p = fabric.nodesPerTor();
        long crossings = 0;
        for (int start = 0; start < groups.size(); start += p) {
            int end = Math.min(start + p, groups.size());
            List<RingGroup> set = groups.subList(start, end);
            int size = set.getFirst().size();
            if (set.size() < p) {
                crossings += (long) set.size() * size;
                continue;
            }
            for (int rank = 0; rank < size; rank++) {
                int distinct = distinctTors(fabric, set, rank);
                crossings += distinct > 1 ? distinct : 0;
            }
        }
        return crossings;
    }

    /** Crossings per member, 0 to 1: the metric X. 0 for no groups. */
    public static double ratio(RingFabric fabric, List<RingGroup> groups) {
        long members = groups.stream().mapToLong(RingGroup::size).sum();
        return members == 0 ? 0 : (double) crossings(fabric, groups) / members;
    }

    /**
     * A lower bound of crossings for every placement of so many groups, interleaved or not. The members of a rank that
     * does not cross fill a rack, so there are at most as many such ranks as whole racks. Every other rank of a full
     * set crosses at least twice.
     *
     * @param usable per ring position
     * @param size nodes of a group
     * @param groups wanted
     */
    public static long floor(RingFabric fabric, boolean[] usable, int size, int groups) {
        int p = fabric.nodesPerTor();
        if (p == 1) {
            return 0;
        }
        long whole = 0;
        for (boolean rack : FatTree.alignedTors(fabric, usable)) {
            whole += rack ? 1 : 0;
        }
        long ranks = (long) (groups / p) * size;
        return (long) (groups % p) * size + 2 * (ranks - Math.min(ranks, whole));
    }

    private static int distinctTors(RingFabric fabric, List<RingGroup> set, int rank) {
        int distinct = 0;
        for (int i = 0; i < set.size(); i++) {
            int tor = fabric.torOf(set.get(i).members().get(rank));
            boolean seen = false;
            for (int j = 0; j < i && !seen; j++) {
                seen = fabric.torOf(set.get(j).members().get(rank)) == tor;
            }
            distinct += seen ? 0 : 1;
        }
        return distinct;
    }
}
