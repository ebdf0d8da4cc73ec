package dev.lightpath.planner.stripe;

import java.util.SplittableRandom;

/** Random demands that fit uniform switches: every pod's sums stay within switches * ports. */
final class RandomStriping {
    private RandomStriping() {}

    /** A matrix with about `circuits` entries counted, row and column sums at most `degree`. */
    static int[][] directed(int pods, int degree, int circuits, SplittableRandom random) {
        int[][] x = new int[pods][pods];
        int[] out = new int[pods];
        int[] in = new int[pods];
        add(x, out, in, degree, circuits, random);
        return x;
    }

    /** The same matrix with a share of its circuits taken away and as many others put in, where they fit. */
    static int[][] changed(int[][] from, int degree, double share, SplittableRandom random) {
        int pods = from.length;
        int[][] x = new int[pods][];
        int[] out = new int[pods];
        int[] in = new int[pods];
        int total = 0;
        for (int i = 0; i < pods; i++) {
            x[i] = from[i].clone();
            for (int j = 0; j < pods; j++) {
                out[i] += x[i][j];
                in[j] += x[i][j];
                total += x[i][j];
            }
        }
        int change = (int) Math.round(total * share);
        int gone = 0;
        while (gone < change) {
            int i = random.nextInt(pods);
            int j = random.nextInt(pods);
            if (x[i][j] > 0) {
                x[i][j]--;
                out[i]--;
                in[j]--;
                gone++;
            }
        }
        add(x, out, in, degree, change, random);
        return x;
    }

    private static void add(int[][] x, int[] out, int[] in, int degree, int circuits, SplittableRandom random) {
        int pods = x.length;
        int placed = 0;
        for (int tries = 0; placed < circuits && tries < 200 * circuits + 1000; tries++) {
            int i = random.nextInt(pods);
            int j = random.nextInt(pods);
            if (i != j && out[i] < degree && in[j] < degree) {
                x[i][j]++;
                out[i]++;
                in[j]++;
                placed++;
            }
        }
    }

    /** A symmetric matrix with degrees at most `degree`. */
    static int[][] symmetric(int pods, int degree, int circuits, SplittableRandom random) {
        int[][] x = new int[pods][pods];
        int[] used = new int[pods];
        int placed = 0;
        for (int tries = 0; placed < circuits && tries < 200 * circuits + 1000; tries++) {
            int i = random.nextInt(pods);
            int j = random.nextInt(pods);
            if (i != j && used[i] < degree && used[j] < degree) {
                x[i][j]++;
                x[j][i]++;
                used[i]++;
                used[j]++;
                placed++;
            }
        }
        return x;
    }
}
