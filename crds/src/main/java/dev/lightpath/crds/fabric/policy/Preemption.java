package dev.lightpath.crds.fabric.policy;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Whose place a waiting job may take. */
public enum Preemption {
    /** A placed job keeps its place whatever waits. */
    @JsonProperty("Never")
    NEVER,

    /** Jobs of lower priority, if the waiting job then fits. */
    @JsonProperty("LowerPriority")
    LOWER_PRIORITY
}
