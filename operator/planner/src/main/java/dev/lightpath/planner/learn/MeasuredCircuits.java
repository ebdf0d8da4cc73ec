package dev.lightpath.planner.learn;

import java.util.List;

/**
 * Iterations that were measured with the same circuits.
 *
 * @param circuits one count per group of the instance
 * @param seconds of an iteration, the latest last; each finite and above 0
 */
public record MeasuredCircuits(List<Integer> circuits, List<Double> seconds) {
    /** @throws IllegalArgumentException naming a time that is none */
    public MeasuredCircuits {
        circuits = List.copyOf(circuits);
        seconds = List.copyOf(seconds);
        seconds.forEach(each -> {
            if (!(each > 0) || Double.isInfinite(each)) {
                throw new IllegalArgumentException("seconds: " + each + ", allowed: a finite number above 0");
            }
        });
    }

    /**
     * The median, so that of three one may be anything; of an even number the geometric mean of the middle two.
     *
     * @throws IllegalStateException without a measurement
     */
    public double medianSeconds() {
        if (seconds.isEmpty()) {
            throw new IllegalStateException("no iteration was measured with circuits " + circuits);
        }
        List<Double> sorted = seconds.stream().sorted().toList();
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(half) : Math.sqrt(sorted.get(half - 1) * sorted.get(half));
    }
}
