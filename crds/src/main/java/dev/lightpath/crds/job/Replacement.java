package dev.lightpath.crds.job;

import com.fasterxml.jackson.annotation.JsonProperty;

/** When a failed node of a job is replaced. */
public enum Replacement {
    /** As soon as the fault is sure. */
    @JsonProperty("Immediately")
    IMMEDIATELY,

    /** When the pods of the job end too. */
    @JsonProperty("WithWorkload")
    WITH_WORKLOAD,

    /** When the fault has lasted afterSeconds. */
    @JsonProperty("AfterSeconds")
    AFTER_SECONDS,

    /** Only when the job is placed anew. */
    @JsonProperty("Never")
    NEVER
}
