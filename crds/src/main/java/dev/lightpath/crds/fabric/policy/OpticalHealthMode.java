package dev.lightpath.crds.fabric.policy;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What is done about a port whose light gets worse. */
public enum OpticalHealthMode {
    /** It is told in status and metrics. */
    @JsonProperty("Observe")
    OBSERVE,

    /** It becomes a fault, if its circuits find a place elsewhere. */
    @JsonProperty("TakeOut")
    TAKE_OUT
}
