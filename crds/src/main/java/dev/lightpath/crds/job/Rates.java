package dev.lightpath.crds.job;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How tasks share circuits. */
public enum Rates {
    /** The critical path first; rates and topology are chosen together. */
    @JsonProperty("Joint")
    JOINT,

    /** Max-min fair. */
    @JsonProperty("Fair")
    FAIR
}
