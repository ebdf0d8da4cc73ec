package dev.lightpath.planner.delta;

import dev.lightpath.planner.delta.simulation.Rates;

/** How a topology is chosen (section V-A2). */
public enum Algorithm {
    /** Exact search over topologies with rates chosen too (DELTA-Joint, Eqs. 3 to 16 and 18, by branch and bound). */
    JOINT(Rates.JOINT),
    /** Best topology under fair sharing (DELTA-Topo, which adds Eq. 17), by enumeration within bounds. */
    TOPOLOGY(Rates.FAIR),
    /** Genetic algorithm under fair sharing (DELTA-Fast, Algorithms 3, 5 and 6). */
    FAST(Rates.FAIR),
    /** Circuits proportional to traffic (SiP-ML). */
    PROP(Rates.FAIR),
    /** Circuits proportional to the square root of traffic. */
    SQRT(Rates.FAIR),
    /** One circuit at a time, halving the weight of its pair (TopoOpt). */
    ITER_HALVE(Rates.FAIR);

    private final Rates rates;

    Algorithm(Rates rates) {
        this.rates = rates;
    }

    /**
     * Under which rates its figures are given: {@link Rates#JOINT} for the exact joint search, else {@link Rates#FAIR}.
     * O(1).
     */
    public Rates rates() {
        return rates;
    }
}
