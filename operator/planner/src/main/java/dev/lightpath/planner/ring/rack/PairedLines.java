package dev.lightpath.planner.ring.rack;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The most aligned ranks of two parallel sub-lines that are cut into domains, or of several such pairs:
 * {@link PairProgramme} within each domain, joined by max-plus over the numbers of groups. A Lagrangian is not used,
 * because it can miss the optimum by a pair.
 *
 * <p>Within a domain fewer groups than it has aligned ones (less one, for parity) never help: giving up an aligned pair
 * there costs all its ranks, and no pair elsewhere can gain more.
 */
final class PairedLines {
    /** Most table cells that all programmes together hold for their ways back, 2 bytes each. */
    static final long CELLS_HELD = 1L << 27;

    private final List<PairProgramme> domains = new ArrayList<>();
    private final int[] starts;
    private final int[][] best;
    private final int[] leastBefore;

    private final int size;
    private final int lines;
    private final int perPair;

    private PairedLines(boolean[][] lines, int[] cuts, int size) {
        this.size = size;
        int units = (lines.length + 1) / 2 * cuts.length;
        this.lines = lines.length;
        this.perPair = cuts.length;
        this.starts = new int[units];
        this.best = new int[units + 1][];
        this.leastBefore = new int[units + 1];
    }

    /**
     * Lines 0 and 1, 2 and 3 and so on are parallel; an odd last line has no partner. Null if the tables would be too
     * large.
     *
     * @param lines per sub-line and column whether the node can be used
     * @param cuts first columns of the domains, ascending from 0
     */
    static @Nullable PairedLines of(boolean[][] lines, int[] cuts, int size, int reach, boolean exactPairs) {
        return of(lines, cuts, size, reach, exactPairs, CELLS_HELD);
    }

    /** @param room table cells to be held */
    static @Nullable PairedLines of(boolean[][] lines, int[] cuts, int size, int reach, boolean exactPairs, long room) {
        PairedLines joined = new PairedLines(lines, cuts, size);
        for (int unit = 0; unit < joined.starts.length; unit++) {
            int pair = unit / cuts.length;
            int domain = unit % cuts.length;
            int from = cuts[domain];
            int to = domain + 1 < cuts.length ? cuts[domain + 1] : lines[0].length;
            boolean[] a = Arrays.copyOfRange(lines[2 * pair], from, to);
            boolean[] b = 2 * pair + 1 < lines.length
                    ? Arrays.copyOfRange(lines[2 * pair + 1], from, to)
                    : new boolean[to - from];
            PairProgramme programme = programme(a, b, size, reach, exactPairs, room - joined.held());
            if (programme == null) {
                return null;
            }
            joined.starts[unit] = from;
            joined.domains.add(programme);
        }
        joined.join();
        return joined;
    }

    private static @Nullable PairProgramme programme(
            boolean[] a, boolean[] b, int size, int reach, boolean exactPairs, long room) {
        Runs runs = new Runs(size, reach);
        boolean[] both = new boolean[a.length];
        int usable = 0;
        for (int i = 0; i < both.length; i++) {
            both[i] = a[i] && b[i];
            usable += (a[i] ? 1 : 0) + (b[i] ? 1 : 0);
        }
        int aligned = 2 * runs.count(both, 0, both.length);
        long codes = 1 + (size - 1) * (2L * reach - 1);
        long cells = PairProgramme.cells(a.length, size, reach, usable / size - aligned + 6, exactPairs);
        if (cells > PairProgramme.CELL_LIMIT || codes * codes * 5 > Character.MAX_VALUE) {
            return null;
        }
        return new PairProgramme(a, b, size, reach, Math.max(0, aligned - 1), exactPairs, room);
    }

    /** Table cells that its programmes hold. */
    long held() {
        return domains.stream().mapToLong(PairProgramme::held).sum();
    }

    private void join() {
        best[0] = new int[] {0};
        for (int d = 0; d < domains.size(); d++) {
            PairProgramme domain = domains.get(d);
            int span = domain.most() - domain.least();
            leastBefore[d + 1] = leastBefore[d] + domain.least();
            best[d + 1] = new int[best[d].length + span];
            Arrays.fill(best[d + 1], -1);
            for (int before = 0; before < best[d].length; before++) {
                for (int extra = 0; extra <= span && best[d][before] >= 0; extra++) {
                    int aligned = domain.aligned(domain.least() + extra);
                    if (aligned >= 0) {
                        int sum = best[d][before] + aligned;
                        best[d + 1][before + extra] = Math.max(best[d + 1][before + extra], sum);
                    }
                }
            }
        }
    }

    /**
     * Most aligned ranks with exactly this many groups; -1 if impossible. At or below the fewest of interest: all of
     * them.
     */
    int aligned(int groups) {
        int at = groups - leastBefore[domains.size()];
        if (at < 0) {
            return groups / 2 * size;
        }
        return at >= best[domains.size()].length ? -1 : best[domains.size()][at];
    }

    /**
     * A best placement with exactly this many groups, or with the fewest of interest: per sub-line its groups as
     * columns.
     */
    List<List<int[]>> groups(int groups) {
        List<List<int[]>> perLine = new ArrayList<>();
        for (int line = 0; line < lines; line++) {
            perLine.add(new ArrayList<>());
        }
        int at = Math.max(0, groups - leastBefore[domains.size()]);
        for (int d = domains.size() - 1; d >= 0; d--) {
            PairProgramme domain = domains.get(d);
            int extra = 0;
            while (!joins(d, at, extra)) {
                extra++;
            }
            List<List<int[]>> mine = domain.groups(domain.least() + extra);
            int start = starts[d];
            for (int side = 0; side < 2; side++) {
                int line = 2 * (d / perPair) + side;
                if (line < lines) {
                    mine.get(side).forEach(group -> perLine.get(line).add(Runs.shifted(group, start)));
                }
            }
            at -= extra;
        }
        perLine.forEach(line -> line.sort(Arrays::compare));
        return perLine;
    }

    private boolean joins(int d, int at, int extra) {
        int before = at - extra;
        int aligned = domains.get(d).aligned(domains.get(d).least() + extra);
        return before >= 0
                && before < best[d].length
                && best[d][before] >= 0
                && aligned >= 0
                && best[d][before] + aligned == best[d + 1][at];
    }
}
