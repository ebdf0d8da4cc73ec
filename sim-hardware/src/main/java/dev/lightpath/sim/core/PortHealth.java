package dev.lightpath.sim.core;

/** Whether a port works, as its device sees it. */
public enum PortHealth {
    /** It works. */
    OK,
    /** It works badly. */
    DEGRADED,
    /** It does not work. */
    FAILED
}
