package dev.lightpath.planner.stripe;

import java.util.function.BooleanSupplier;

/**
 * How long to search. Counted in steps, so that the same request gives the same answer on any machine; {@code stop} lets the
 * shell cut it short.
 *
 * @param steps circuits placed or displaced by the search, at most
 * @param seed of the search's choices among equals
 */
public record SearchBudget(long steps, long seed, BooleanSupplier stop) {
    /** Enough to stay under a second on 64 pods and 16 switches. */
    public static SearchBudget standard() {
        return new SearchBudget(600_000, 1, () -> false);
    }
}
