package dev.lightpath.planner.delta;

/**
 * The objective for a topology.
 *
 * @param algorithm how it is chosen
 * @param minimizePorts whether ports are saved afterwards (Eq. 4)
 * @param portTolerance how much longer, relative to the makespan found, the iteration may then take; 0 or more
 */
public record Goal(Algorithm algorithm, boolean minimizePorts, double portTolerance) {
    /** @throws IllegalArgumentException when the tolerance is negative or not finite */
    public Goal {
        if (!(portTolerance >= 0) || Double.isInfinite(portTolerance)) {
            throw new IllegalArgumentException("portTolerance: " + portTolerance + ", allowed: 0 or more");
        }
    }

    /** Shortest makespan (Eq. 3), ports as they come. O(1). */
    public static Goal shortest(Algorithm algorithm) {
        return new Goal(algorithm, false, 0);
    }

    /**
     * Fewest circuit ends (Eq. 4) among topologies with at most (1 + tolerance) times the shortest makespan. O(1).
     *
     * @param tolerance relative, 0 or more
     * @throws IllegalArgumentException when the tolerance is negative or not finite
     */
    public static Goal fewestPorts(Algorithm algorithm, double tolerance) {
        return new Goal(algorithm, true, tolerance);
    }
}
