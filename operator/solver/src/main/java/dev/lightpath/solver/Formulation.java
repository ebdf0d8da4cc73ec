package dev.lightpath.solver;

import dev.lightpath.planner.delta.Algorithm;

/** The paper's MILPs. */
public enum Formulation {
    /** Variable-length intervals, rates chosen (DELTA-Joint). */
    JOINT(Algorithm.JOINT),
    /** Variable-length intervals with Eq. 17 (DELTA-Topo). */
    TOPOLOGY(Algorithm.TOPOLOGY),
    /** Fixed time steps (Appendix A), on CP-SAT. */
    FIXED_STEP(Algorithm.JOINT);

    private final Algorithm counterpart;

    Formulation(Algorithm counterpart) {
        this.counterpart = counterpart;
    }

    /**
     * The planner's algorithm that answers the same question; its rates are those the figures are given under. O(1).
     */
    public Algorithm counterpart() {
        return counterpart;
    }
}
