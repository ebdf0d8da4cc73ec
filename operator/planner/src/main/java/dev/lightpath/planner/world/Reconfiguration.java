package dev.lightpath.planner.world;

/** When circuits of a healthy job may move for the benefit of other jobs ({@code reconfiguration}). */
public enum Reconfiguration {
    NEVER,
    /** While none of its pods runs. */
    AT_RESTART,
    LIVE
}
