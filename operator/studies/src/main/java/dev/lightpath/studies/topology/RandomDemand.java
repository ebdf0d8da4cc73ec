package dev.lightpath.studies.topology;

import java.util.SplittableRandom;

/** Random directed demands with bounded row and column sums. */
final class RandomDemand {
    private final int[][] counts;
    private final int[] out;
    private final int[] in;
    private final int degree;
    private final SplittableRandom random;

    RandomDemand(int pods, int degree, int circuits, SplittableRandom random) {
        counts = new int[pods][pods];
        out = new int[pods];
        in = new int[pods];
        this.degree = degree;
        this.random = random;
        add(circuits);
    }

    int[][] counts() {
        return counts;
    }

    /** Removes a number of circuits and adds as many others where they fit. */
    void change(int circuits) {
        int gone = 0;
        while (gone < circuits) {
            int i = random.nextInt(counts.length);
            int j = random.nextInt(counts.length);
            if (counts[i][j] > 0) {
                counts[i][j]--;
                out[i]--;
                in[j]--;
                gone++;
            }
        }
        add(circuits);
    }

    private void add(int circuits) {
        int added = 0;
        for (int tries = 0; added < circuits && tries < 500 * circuits; tries++) {
            int i = random.nextInt(counts.length);
            int j = random.nextInt(counts.length);
            if (i != j && out[i] < degree && in[j] < degree) {
                counts[i][j]++;
                out[i]++;
                in[j]++;
                added++;
            }
        }
    }
}
