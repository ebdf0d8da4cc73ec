package dev.lightpath.planner.engine.traffic;

import dev.lightpath.planner.ask.Prediction;

/**
 * Whether other circuits are worth the darkness of getting there: what all iterations of the next ten minutes gain
 * together must be more than the time for which the job loses light. It is unknown how long a job will run; ten minutes
 * is what it has been worth asking for so far.
 */
public final class InterruptionCost {
    private static final double HORIZON_SECONDS = 600;

    /**
     * Until a moved circuit is dark, lit elsewhere and qualified: what emulated and data-sheet switches need, rounded
     * up.
     */
    private static final double DARK_SECONDS = 1;

    /** Gains below this share are rounding. */
    public static final double LEAST_GAIN = 1e-6;

    private InterruptionCost() {}

    /** @param moved circuits that are lit now and would go dark */
    static boolean moves(Prediction now, Prediction then, int moved) {
        return darkens(now, then, moved > 0 ? 1 : 0);
    }

    /** @param jobs whose light would go dark, each for as long */
    static boolean darkens(Prediction now, Prediction then, int jobs) {
        double gain = 1 - then.iterationSeconds() / now.iterationSeconds();
        return gain > LEAST_GAIN && (jobs == 0 || gain * HORIZON_SECONDS > DARK_SECONDS * jobs);
    }
}
