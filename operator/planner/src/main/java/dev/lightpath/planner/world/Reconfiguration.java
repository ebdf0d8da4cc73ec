package dev.lightpath.planner.world;

/** When light of a job that is well may move for the good of others ({@code reconfiguration}). */
public enum Reconfiguration {
    NEVER,
    /** While none of its pods runs. */
    AT_RESTART,
    LIVE
}
