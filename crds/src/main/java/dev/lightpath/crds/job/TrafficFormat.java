package dev.lightpath.crds.job;

import com.fasterxml.jackson.annotation.JsonProperty;

/** In which format traffic was recorded. */
public enum TrafficFormat {
    /** A SimAI workload file, as AICB writes it. */
    @JsonProperty("AICB")
    AICB,

    /** MLCommons Chakra execution traces, one file for each rank. */
    @JsonProperty("Chakra")
    CHAKRA
}
