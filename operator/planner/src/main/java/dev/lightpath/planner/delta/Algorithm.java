package dev.lightpath.planner.delta;

/** How a topology is chosen. */
public enum Algorithm {
    /** Exact search over topologies with rates chosen too (DELTA-Joint). */
    JOINT(Rates.JOINT),
    /** Best topology under fair sharing (DELTA-Topo). */
    TOPOLOGY(Rates.FAIR),
    /** Genetic algorithm under fair sharing (DELTA-Fast). */
    FAST(Rates.FAIR),
    /** Circuits proportional to traffic. */
    PROP(Rates.FAIR),
    /** Circuits proportional to the square root of traffic. */
    SQRT(Rates.FAIR),
    /** One circuit at a time, halving the weight of its pair. */
    ITER_HALVE(Rates.FAIR);

    private final Rates rates;

    Algorithm(Rates rates) {
        this.rates = rates;
    }

    /** Under which rates its figures are given. */
    public Rates rates() {
        return rates;
    }
}
