package dev.lightpath.planner.delta.simulation;

/** How transfers that meet on a circuit or a network card share it. */
public enum Rates {
    /** Max-min over flows by progressive filling, what a network does by itself. */
    FAIR,
    /** Chosen together with the topology: the most urgent transfer first (DELTA-Joint). */
    JOINT
}
