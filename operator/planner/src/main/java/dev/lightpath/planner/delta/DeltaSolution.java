package dev.lightpath.planner.delta;

import dev.lightpath.planner.delta.model.Topology;

/**
 * An answer of DELTA and what is proved about it.
 *
 * @param goal the goal of the question
 * @param topology one count per group of the instance (x of Eqs. 5 to 7)
 * @param makespanSeconds of the topology under the goal's rates
 * @param lowerBoundSeconds no topology within the ports ends an iteration earlier under these rates
 * @param proved whether the makespan is the least possible within {@value #PROOF_TOLERANCE} of it. If ports were
 *     minimised: whether the makespan that the limit came from is, and no topology within the limit has fewer ports
 * @param nct normalised communication time without a unit (section V-A3), NaN when even an ideal network adds no time
 * @param ports circuit ends in counted pods
 * @param portBound ports that cannot be undercut within the limit, when ports were minimised; else equal to ports
 * @param portBudget circuit ends the counted pods offer
 */
public record DeltaSolution(
        Goal goal,
        Topology topology,
        double makespanSeconds,
        double lowerBoundSeconds,
        boolean proved,
        double nct,
        int ports,
        int portBound,
        int portBudget) {

    /** Relative gap up to which a makespan counts as proved. */
    public static final double PROOF_TOLERANCE = 1e-9;

    /**
     * How far the makespan may be from the best there is: (makespan - lower bound) / makespan, without a unit, between
     * 0 and 1; 0 when both are equal or nothing takes time. The relative MIP gap of section V-E. O(1).
     */
    public double gap() {
        return makespanSeconds > 0 ? (makespanSeconds - lowerBoundSeconds) / makespanSeconds : 0;
    }
}
