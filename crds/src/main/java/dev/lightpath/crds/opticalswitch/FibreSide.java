package dev.lightpath.crds.opticalswitch;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Which way light goes through a port of a two-sided switch. */
public enum FibreSide {
    /** Light enters the switch there. */
    @JsonProperty("Ingress")
    INGRESS,

    /** Light leaves the switch there. */
    @JsonProperty("Egress")
    EGRESS
}
