package dev.lightpath.planner.ring.rack;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Aligns as many sets as a wanted number of groups allows, for any number of nodes per rack. In each domain the first k
 * groups are aligned over all sub-lines, and the columns behind them are cut freely per sub-line. A knapsack over the
 * domains chooses the k that keep most sets aligned. Finer than Algorithm 4, which aligns whole domains in the order of
 * their numbers.
 */
final class SlidingAlignment {

    private final boolean[][] lines;
    private final int[] cuts;
    private final Runs runs;
    private final boolean[] all;

    SlidingAlignment(boolean[][] lines, int[] cuts, Runs runs) {
        this.lines = lines;
        this.cuts = cuts;
        this.runs = runs;
        this.all = new boolean[lines[0].length];
        Arrays.fill(all, true);
        for (boolean[] line : lines) {
            for (int column = 0; column < all.length; column++) {
                all[column] &= line[column];
            }
        }
    }

    /** The groups of each sub-line as columns, at least {@code wanted} in all; empty if there is no room. */
    List<List<int[]>> groups(int wanted) {
        int[][] room = new int[cuts.length][];
        int[][] best = new int[cuts.length + 1][wanted + 1];
        for (int[] row : best) {
            Arrays.fill(row, -1);
        }
        best[0][0] = 0;
        for (int domain = 0; domain < cuts.length; domain++) {
            room[domain] = room(domain);
            for (int before = 0; before <= wanted; before++) {
                for (int k = 0; k < room[domain].length && best[domain][before] >= 0; k++) {
                    int after = Math.min(wanted, before + room[domain][k]);
                    best[domain + 1][after] = Math.max(best[domain + 1][after], best[domain][before] + k);
                }
            }
        }
        List<List<int[]>> perLine = new ArrayList<>();
        for (int line = 0; line < lines.length; line++) {
            perLine.add(new ArrayList<>());
        }
        if (best[cuts.length][wanted] < 0) {
            return perLine;
        }
        int at = wanted;
        for (int domain = cuts.length - 1; domain >= 0; domain--) {
            at = back(domain, at, room[domain], best, perLine);
        }
        return perLine;
    }

    private int back(int domain, int at, int[] room, int[][] best, List<List<int[]>> perLine) {
        for (int before = 0; before <= at; before++) {
            for (int k = room.length - 1; k >= 0 && best[domain][before] >= 0; k--) {
                if (Math.min(best[0].length - 1, before + room[k]) == at
                        && best[domain][before] + k == best[domain + 1][at]) {
                    take(domain, k, perLine);
                    return before;
                }
            }
        }
        throw new IllegalStateException("no way back to " + at + " groups in domain " + domain);
    }

    private int end(int domain) {
        return domain + 1 < cuts.length ? cuts[domain + 1] : all.length;
    }

    /** Groups of a domain if its first k sets are aligned, for each k. */
    private int[] room(int domain) {
        List<int[]> aligned = runs.groups(all, cuts[domain], end(domain));
        int[] room = new int[aligned.size() + 1];
        for (int k = 0; k < room.length; k++) {
            int from = k == 0 ? cuts[domain] : aligned.get(k - 1)[runs.size() - 1] + 1;
            room[k] = k * lines.length;
            for (boolean[] line : lines) {
                room[k] += runs.count(line, from, end(domain));
            }
        }
        return room;
    }

    private void take(int domain, int k, List<List<int[]>> perLine) {
        List<int[]> aligned = runs.groups(all, cuts[domain], end(domain)).subList(0, k);
        int from = k == 0 ? cuts[domain] : aligned.get(k - 1)[runs.size() - 1] + 1;
        for (int line = 0; line < lines.length; line++) {
            perLine.get(line).addAll(aligned);
            perLine.get(line).addAll(runs.groups(lines[line], from, end(domain)));
        }
    }
}
