package dev.lightpath.planner.ring.rack;

import dev.lightpath.planner.ring.RingFabric;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The placement of a wanted number of groups with the fewest crossings that can be found, and a lower bound.
 *
 * <ul>
 * <li>If whole sets fit aligned, they are taken: optimal for any p.
 * <li>p = 2: {@link PairedLines}, exact among groups that do not interleave and stay within a sub-line of their
 *     aggregation domain. If that leaves crossings, or is infeasible, groups may leave their domain too.
 * <li>p &gt; 2: the best of {@link SlidingAlignment}, pairs of sub-lines by {@link PairedLines}, and Algorithm 5.
 * </ul>
 *
 * <p>The bound for p &gt; 2: a rank of a set that does not cross meets in every pair of sub-lines. So at most V / (p/2)
 * of them exist, where V is the exact optimum over the pairs. Such a rank fills a rack, so there are no more than whole
 * racks. Every other rank crosses at least twice. The part about racks holds for every placement, interleaved ones
 * included: {@link CrossTor#floor}.
 */
final class ExactPlacement {

    private final RingFabric fabric;
    private final int size;
    private final int wanted;
    private final boolean[][] lines;
    private final int[] cuts;
    private final FatTree paper;
    private final long floor;
    private final List<int[]> alignedColumns = new ArrayList<>();

    private List<int[]> best = List.of();
    private long bestCrossings = Long.MAX_VALUE;
    private long bound;

    ExactPlacement(RingFabric fabric, boolean[] usable, int size, int wanted, FatTree paper) {
        this.fabric = fabric;
        this.size = size;
        this.wanted = wanted;
        this.paper = paper;
        int p = fabric.nodesPerTor();
        this.lines = new boolean[p][];
        for (int line = 0; line < p; line++) {
            lines[line] = java.util.Arrays.copyOfRange(usable, line * fabric.tors(), (line + 1) * fabric.tors());
        }
        this.cuts = new int[fabric.aggregations()];
        for (int domain = 0; domain < cuts.length; domain++) {
            cuts[domain] = domain * (fabric.nodesPerAggregation() / p);
        }
        Runs runs = new Runs(size, fabric.reach());
        boolean[] all = FatTree.alignedTors(fabric, usable);
        this.floor = CrossTor.floor(fabric, usable, size, wanted);
        for (int domain = 0; domain < cuts.length; domain++) {
            int end = domain + 1 < cuts.length ? cuts[domain + 1] : fabric.tors();
            alignedColumns.addAll(runs.groups(all, cuts[domain], end));
        }
    }

    /** Crossings no placement of the class can go below. */
    double bound() {
        return (double) bound / ((long) wanted * size);
    }

    /** Groups as ring positions in set order; empty if this many do not fit. */
    List<int[]> groups() {
        int p = fabric.nodesPerTor();
        bound = floor;
        if (wanted <= alignedColumns.size() * p) {
            return spreadAligned();
        }
        if (p > 1 && size > 1) {
            pairs(cuts);
            if (cuts.length > 1 && bestCrossings > bound) {
                pairs(new int[] {0});
            }
        }
        if (p > 2 || best.isEmpty()) {
            Runs runs = new Runs(size, fabric.reach());
            offer(new SetAssembly(fabric).order(positions(new SlidingAlignment(lines, cuts, runs).groups(wanted))));
        }
        if (p > 2 || best.isEmpty()) {
            int constraints = paper.constraintsFor(wanted);
            if (constraints >= 0) {
                offer(new SetAssembly(fabric).order(paper.groups(constraints)));
            }
        }
        return best;
    }

    /** Aligned sets with the unused ones evenly between them. */
    private List<int[]> spreadAligned() {
        int p = fabric.nodesPerTor();
        int sets = (wanted + p - 1) / p;
        List<int[]> groups = new ArrayList<>(wanted);
        for (int set = 0; set < sets; set++) {
            int[] columns = alignedColumns.get((int) ((long) set * alignedColumns.size() / sets));
            for (int line = 0; line < p && groups.size() < wanted; line++) {
                groups.add(Runs.shifted(columns, line * fabric.tors()));
            }
        }
        return groups;
    }

    private boolean pairs(int[] cutsBetween) {
        PairedLines relaxed = PairedLines.of(lines, cutsBetween, size, fabric.reach(), false);
        if (relaxed == null || relaxed.aligned(wanted) < 0) {
            return false;
        }
        int p = fabric.nodesPerTor();
        long sets = wanted / p;
        long meeting = Math.min(sets * size, relaxed.aligned(wanted) / (p / 2));
        long below = Math.max(floor, (long) (wanted % p) * size + 2 * (sets * size - meeting));
        bound = best.isEmpty() ? below : Math.min(bound, below);
        if (below >= bestCrossings) {
            return true;
        }
        offerPairs(relaxed);
        if (p == 2 && bestCrossings > below) {
            PairedLines exact = PairedLines.of(lines, cutsBetween, size, fabric.reach(), true);
            if (exact != null && exact.aligned(wanted) >= 0) {
                offerPairs(exact);
                long proved = (long) (wanted % p) * size + 2 * (sets * size - exact.aligned(wanted));
                bound = Math.max(bound, Math.min(proved, bestCrossings));
            }
        }
        return true;
    }

    private void offerPairs(@Nullable PairedLines paired) {
        if (paired == null) {
            return;
        }
        List<List<int[]>> perLine = paired.groups(wanted);
        if (fabric.nodesPerTor() > 2) {
            offer(new SetAssembly(fabric).order(positions(perLine)));
            return;
        }
        List<int[]> left = perLine.get(0);
        List<int[]> right = perLine.get(1);
        List<int[]> ordered = new ArrayList<>(wanted);
        boolean[] paidLeft = new boolean[left.size()];
        boolean[] paidRight = new boolean[right.size()];
        for (PairMatching.Pair pair : PairMatching.of(left, right)) {
            ordered.add(left.get(pair.left()));
            ordered.add(Runs.shifted(right.get(pair.right()), fabric.tors()));
            paidLeft[pair.left()] = true;
            paidRight[pair.right()] = true;
        }
        for (int i = 0; i < left.size(); i++) {
            if (!paidLeft[i]) {
                ordered.add(left.get(i));
            }
        }
        for (int i = 0; i < right.size(); i++) {
            if (!paidRight[i]) {
                ordered.add(Runs.shifted(right.get(i), fabric.tors()));
            }
        }
        offer(ordered);
    }

    private List<int[]> positions(List<List<int[]>> perLine) {
        List<int[]> groups = new ArrayList<>();
        for (int line = 0; line < perLine.size(); line++) {
            int offset = line * fabric.tors();
            perLine.get(line).forEach(group -> groups.add(Runs.shifted(group, offset)));
        }
        return groups;
    }

    private void offer(List<int[]> ordered) {
        if (ordered.size() < wanted) {
            return;
        }
        List<int[]> kept = ordered.subList(0, wanted);
        long crossings = CrossTor.crossings(fabric, RackOrchestration.toGroups(kept));
        if (crossings < bestCrossings) {
            bestCrossings = crossings;
            best = List.copyOf(kept);
        }
    }
}
