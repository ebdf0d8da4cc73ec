package dev.lightpath.crds.opticalswitch;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Which ports of a switch may meet. */
public enum Sides {
    /** Any port may meet any other. */
    @JsonProperty("OneSided")
    ONE_SIDED,

    /** Ingress ports meet egress ports only. */
    @JsonProperty("TwoSided")
    TWO_SIDED
}
