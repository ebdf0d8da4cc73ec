package dev.lightpath.planner.ring;

/** Whether the fibre of the last position leads on to the first. */
public enum RingShape {
    /** Ends at both sides: no hop passes beyond position 0 or n-1. */
    LINE,
    /** Position n-1 is the left neighbour of position 0, so groups may wrap. */
    RING
}
