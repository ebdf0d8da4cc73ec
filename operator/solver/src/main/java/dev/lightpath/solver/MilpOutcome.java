package dev.lightpath.solver;

import java.util.List;

/** What became of a program handed to a native solver. */
sealed interface MilpOutcome {

    /**
     * A solution.
     *
     * @param optimal whether the solver closed the gap
     * @param bound no solution of the program is below it
     * @param values one per variable
     */
    record Solved(boolean optimal, double objective, double bound, List<Double> values) implements MilpOutcome {
        public Solved {
            values = List.copyOf(values);
        }
    }

    /** The program has no solution. */
    record Infeasible() implements MilpOutcome {}

    /** The limit came before any solution. */
    record Undecided() implements MilpOutcome {}

    /** The solver's process died or never answered. */
    record Failed(String reason) implements MilpOutcome {}
}
