package dev.lightpath.planner.health;

import java.util.Arrays;

/** Medians, which a few outliers do not move (Rousseeuw and Croux 1993). */
final class Median {
    /** Makes the median absolute deviation of a normal distribution its standard deviation. */
    private static final double TO_SIGMA = 1.4826;

    private Median() {}

    /** The lower of the two in the middle of an even number. O(n log n); 0 of none. */
    static double of(double[] values) {
        if (values.length == 0) {
            return 0;
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[(sorted.length - 1) / 2];
    }

    /** Standard deviation of what is usual among these values, by the median absolute deviation. */
    static double sigma(double[] values, double median) {
        double[] distances = new double[values.length];
        for (int at = 0; at < values.length; at++) {
            distances[at] = Math.abs(values[at] - median);
        }
        return TO_SIGMA * of(distances);
    }
}
