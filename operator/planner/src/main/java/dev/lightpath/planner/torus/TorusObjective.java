package dev.lightpath.planner.torus;

/** What a twist is chosen for. */
public enum TorusObjective {
    /** Completion time of collectives: the busiest port under all-to-all traffic. */
    MAX_LINK_LOAD("max-link-load"),
    /** Mean delay: the average distance. Not best for throughput: large cyclic twists are traps under ECMP. */
    AVERAGE_DISTANCE("average-distance"),
    /**
     * All-to-all inside each layer of equal z, a ring along z. Only twists between x and y are tried, since the ring
     * needs straight links along z. The objective is the busiest port of a layer's all-to-all plus one unit of the
     * ring.
     */
    DATA_TENSOR("data-tensor");

    private final String label;

    TorusObjective(String label) {
        this.label = label;
    }

    /**
     * The objective with that label.
     *
     * @throws IllegalArgumentException if there is none, naming the allowed words
     */
    public static TorusObjective of(String label) {
        for (TorusObjective objective : values()) {
            if (objective.label.equals(label)) {
                return objective;
            }
        }
        throw new IllegalArgumentException(
                "objective is max-link-load, average-distance or data-tensor, not \"" + label + "\"");
    }
}
