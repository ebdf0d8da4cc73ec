package dev.lightpath.planner.delta.simulation;

import dev.lightpath.planner.delta.model.DeltaInstance;

/**
 * Normalised communication time (section V-A3): how much longer than computing alone an iteration takes, relative to an
 * ideal network.
 *
 * @param computeOnlySeconds makespan when nothing has to be sent (C0)
 * @param idealSeconds longest path with every task at the rate of its own network cards (C_ideal)
 */
public record NormalizedTime(double computeOnlySeconds, double idealSeconds) {

    /** Both reference times of an instance, seconds, as longest paths (Eq. 2); O(size of the instance). */
    public static NormalizedTime of(DeltaInstance instance) {
        return of(new FlowNetwork(instance));
    }

    public static NormalizedTime of(FlowNetwork network) {
        CriticalPath paths = new CriticalPath(network);
        return new NormalizedTime(paths.computeOnlySeconds(), paths.idealSeconds());
    }

    /**
     * (C - C0) / (C_ideal - C0) without a unit (section V-A3); NaN when even an ideal network adds no time. Where the
     * paper says "communication time on the critical path" this stays monotone in C, which that is not when paths tie.
     * O(1).
     *
     * @param makespanSeconds C, the length of an iteration
     */
    public double nct(double makespanSeconds) {
        double ideal = idealSeconds - computeOnlySeconds;
        return ideal > 0 ? (makespanSeconds - computeOnlySeconds) / ideal : Double.NaN;
    }
}
