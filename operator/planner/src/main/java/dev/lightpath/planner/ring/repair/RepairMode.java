package dev.lightpath.planner.ring.repair;

/** How far a repair may look. */
public enum RepairMode {
    /** A few neighbouring groups at most; at once. */
    LOCAL,
    /** The fewest groups that have to change for the greatest number of groups, wherever they are. */
    MINIMAL
}
