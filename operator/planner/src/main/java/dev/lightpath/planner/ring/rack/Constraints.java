package dev.lightpath.planner.ring.rack;

import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import java.util.Arrays;
import java.util.List;

/** Counts which of the paper's constraints a finished placement keeps. */
final class Constraints {

    private Constraints() {}

    /** Pieces that no group leaves, plus domains all of whose groups stand in aligned sets. O(members * p). */
    static int kept(RingFabric fabric, List<RingGroup> groups) {
        int p = fabric.nodesPerTor();
        int domains = fabric.aggregations();
        boolean[] pieceKept = new boolean[domains * p];
        boolean[] aligned = new boolean[domains];
        Arrays.fill(pieceKept, true);
        Arrays.fill(aligned, true);
        for (int start = 0; start < groups.size(); start += p) {
            List<RingGroup> set = groups.subList(start, Math.min(start + p, groups.size()));
            boolean together = set.size() == p && CrossTor.crossings(fabric, set) == 0;
            for (RingGroup group : set) {
                int piece = piece(fabric, group.first());
                boolean inside = group.members().stream().allMatch(member -> piece(fabric, member) == piece);
                for (int member : group.members()) {
                    pieceKept[piece(fabric, member)] &= inside;
                    aligned[fabric.aggregationOf(member)] &= together;
                }
            }
        }
        int kept = 0;
        for (boolean piece : pieceKept) {
            kept += piece ? 1 : 0;
        }
        for (boolean domain : aligned) {
            kept += domain ? 1 : 0;
        }
        return kept;
    }

    private static int piece(RingFabric fabric, int position) {
        return position / fabric.tors() * fabric.aggregations() + fabric.aggregationOf(position);
    }
}
