package dev.lightpath.sim.core.move;

/** State of a connection as its device reports it. */
public enum ConnectionState {
    /** There is none. */
    BLOCKED,
    /** The elements move. */
    TUNING,
    /** Light passes. */
    TUNED,
    /** The move failed. */
    FAILED
}
