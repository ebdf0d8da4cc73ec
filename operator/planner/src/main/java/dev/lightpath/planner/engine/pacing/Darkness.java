package dev.lightpath.planner.engine.pacing;

import dev.lightpath.planner.light.DeviceChange;

/**
 * How many circuits in use are dark on one fabric because changes took them down, and what further changes add. It
 * counts what is under way, and what is done and not lit again, so a restart forgets nothing. What a fault made dark,
 * or keeps from being lit, does not count. Serves one pass.
 */
public interface Darkness {
    /**
     * What a change costs.
     *
     * @param during circuits more that are dark while it is made
     * @param after circuits more that are dark when it is made; negative where it lights what was dark
     */
    record Cost(int during, int after) {}

    /** How many circuits in use are dark now, or may be. */
    int now();

    /** Linear in circuits of the change. */
    Cost of(DeviceChange change);

    /** From now on the change counts as under way. */
    void take(DeviceChange change);

    /** Whether what is awaited may make room: nothing is then done beyond the budget. */
    boolean maySubside();
}
