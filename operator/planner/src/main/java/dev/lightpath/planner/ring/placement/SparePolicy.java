package dev.lightpath.planner.ring.placement;

/** Which of the possible groups a job gets when there is room for more. */
public enum SparePolicy {
    /** Spare nodes are left evenly between the groups, where a local repair will find one near. */
    SPREAD,
    /** Groups fill the fabric from position 0 on. */
    PACKED
}
