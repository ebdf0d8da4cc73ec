package dev.lightpath.planner.stripe;

import java.util.function.BooleanSupplier;

/**
 * Length of a search. It is counted in steps, so that the same request gives the same answer on any machine.
 * {@code stop} lets the caller end it early.
 *
 * @param steps circuits placed or displaced by the search, at most
 * @param seed of the search's choices among equals
 */
public record SearchBudget(long steps, long seed, BooleanSupplier stop) {
    private static final long WORK = 40_000_000;

    /** About half a second of work whatever the sizes: a step looks at every port of a pod. */
    public static SearchBudget fitting(StripingRequest request) {
        long steps = WORK / ((long) request.switches() * request.portsPerPod());
        return new SearchBudget(Math.clamp(steps, 100_000, 2_000_000), 1, () -> false);
    }

    /** A fixed number of steps, fit for 64 pods and 16 switches. */
    public static SearchBudget standard() {
        return new SearchBudget(600_000, 1, () -> false);
    }
}
