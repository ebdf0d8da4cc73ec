package dev.lightpath.planner.ring.rack;

import java.util.ArrayList;
import java.util.List;

/**
 * Pairs the groups of two parallel sub-lines so that as many ranks as possible sit in the same columns. Groups that
 * meet do so in order, so the best pairing is a longest common subsequence by weight: O(a * b).
 */
final class PairMatching {

    /** Indices of two groups that become partners. */
    record Pair(int left, int right) {}

    private PairMatching() {}

    static List<Pair> of(List<int[]> left, List<int[]> right) {
        int[][] best = new int[left.size() + 1][right.size() + 1];
        for (int i = left.size() - 1; i >= 0; i--) {
            for (int j = right.size() - 1; j >= 0; j--) {
                int weight = meetings(left.get(i), right.get(j));
                int together = weight == 0 ? 0 : weight + best[i + 1][j + 1];
                best[i][j] = Math.max(together, Math.max(best[i + 1][j], best[i][j + 1]));
            }
        }
        List<Pair> pairs = new ArrayList<>();
        int i = 0;
        int j = 0;
        while (i < left.size() && j < right.size()) {
            if (best[i][j] == best[i + 1][j]) {
                i++;
            } else if (best[i][j] == best[i][j + 1]) {
                j++;
            } else {
                pairs.add(new Pair(i++, j++));
            }
        }
        return pairs;
    }

    /** Ranks at which two groups sit in the same column. */
    static int meetings(int[] left, int[] right) {
        if (left[0] > right[right.length - 1] || right[0] > left[left.length - 1]) {
            return 0;
        }
        int meetings = 0;
        for (int rank = 0; rank < left.length; rank++) {
            meetings += left[rank] == right[rank] ? 1 : 0;
        }
        return meetings;
    }
}
