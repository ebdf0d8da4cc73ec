package dev.lightpath.solver;

import dev.lightpath.planner.delta.DeltaSolution;

/** What a MILP had to say. */
public sealed interface MilpAnswer {

    /**
     * A topology.
     *
     * @param solution the MILP's or, if that one takes longer, the hot start's. Its makespan is simulated and its lower
     *     bound is that of the exact search, because the MILP's own figures hold only within its windows, its number of
     *     intervals and a tolerance of about 1e-6
     * @param objectiveSeconds the makespan that the MILP computed
     * @param boundSeconds the MILP's bound within its own windows
     * @param closed whether the solver closed its gap
     * @param variables of the program after pruning
     */
    record Found(DeltaSolution solution, double objectiveSeconds, double boundSeconds, boolean closed, int variables)
            implements MilpAnswer {}

    /**
     * No topology of the MILP's own: the limit came first, or the solver's process died.
     *
     * @param hotStart what DELTA-Fast had found for it, under the same rates
     */
    record None(DeltaSolution hotStart, String reason) implements MilpAnswer {}
}
