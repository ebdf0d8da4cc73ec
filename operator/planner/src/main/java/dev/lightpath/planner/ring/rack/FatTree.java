package dev.lightpath.planner.ring.rack;

import dev.lightpath.planner.ring.RingFabric;
import java.util.ArrayList;
import java.util.List;

/**
 * Algorithms 4 and 5 of InfinitePOD, corrected.
 *
 * <p>A placement obeys c constraints. The first min(c, pieces) pieces (sub-line of one aggregation domain) are cut on
 * their own, the rest of the line in one. Beyond that, c - pieces domains are <em>aligned</em>: there a faulty node
 * takes its whole rack out. Corrections: the number of pieces is (n/d) * p; alignment works on a copy of the faults;
 * the best feasible number of constraints is kept and not the last one tried.
 */
final class FatTree {

    private final RingFabric fabric;
    private final boolean[] usable;
    private final boolean[] aligned;
    private final Runs runs;
    private final int pieces;
    private final int pieceLength;
    private final int[] freeCounts;
    private final int[] alignedCounts;

    /** Counts every piece once, so that {@link #count} is cheap. O(n). */
    FatTree(RingFabric fabric, boolean[] usable, int size) {
        this.fabric = fabric;
        this.usable = usable;
        this.runs = new Runs(size, fabric.reach());
        int domains = fabric.aggregations();
        this.pieces = domains * fabric.nodesPerTor();
        this.pieceLength = fabric.nodesPerAggregation() / fabric.nodesPerTor();
        this.aligned = alignedTors(fabric, usable);
        this.freeCounts = new int[pieces];
        for (int piece = 0; piece < pieces; piece++) {
            freeCounts[piece] = runs.count(usable, piece * pieceLength, (piece + 1) * pieceLength);
        }
        this.alignedCounts = new int[domains];
        for (int domain = 0; domain < domains; domain++) {
            alignedCounts[domain] = runs.count(aligned, domain * pieceLength, (domain + 1) * pieceLength);
        }
    }

    /** Racks in which every node is usable. */
    static boolean[] alignedTors(RingFabric fabric, boolean[] usable) {
        boolean[] aligned = new boolean[fabric.tors()];
        for (int tor = 0; tor < aligned.length; tor++) {
            boolean all = true;
            for (int at = tor; at < usable.length; at += aligned.length) {
                all &= usable[at];
            }
            aligned[tor] = all;
        }
        return aligned;
    }

    int mostConstraints() {
        return pieces + fabric.aggregations();
    }

    /** |placement| under a number of constraints (Algorithm 4). O(n) at most. */
    int count(int constraints) {
        int alignedDomains = Math.max(0, constraints - pieces);
        int cut = Math.min(constraints, pieces);
        int groups = 0;
        for (int piece = 0; piece < cut; piece++) {
            int domain = piece % fabric.aggregations();
            groups += domain < alignedDomains ? alignedCounts[domain] : freeCounts[piece];
        }
        return groups + runs.count(usable, cut * pieceLength, usable.length);
    }

    /** The groups that {@link #count} counts, as ring positions. */
    List<int[]> groups(int constraints) {
        int alignedDomains = Math.max(0, constraints - pieces);
        int cut = Math.min(constraints, pieces);
        List<int[]> groups = new ArrayList<>();
        for (int piece = 0; piece < cut; piece++) {
            int domain = piece % fabric.aggregations();
            if (domain < alignedDomains) {
                int from = domain * pieceLength;
                int offset = piece * pieceLength - from;
                runs.groups(aligned, from, from + pieceLength)
                        .forEach(group -> groups.add(Runs.shifted(group, offset)));
            } else {
                groups.addAll(runs.groups(usable, piece * pieceLength, (piece + 1) * pieceLength));
            }
        }
        groups.addAll(runs.groups(usable, cut * pieceLength, usable.length));
        return groups;
    }

    /** The greatest number of constraints under which {@code wanted} groups fit, or -1 (Algorithm 5). */
    int constraintsFor(int wanted) {
        int low = 0;
        int high = mostConstraints();
        int best = -1;
        while (low <= high) {
            int mid = (low + high) >>> 1;
            if (count(mid) >= wanted) {
                best = mid;
                low = mid + 1;
            } else {
                high = mid - 1;
            }
        }
        return best;
    }
}
