package dev.lightpath.crds.fabric.policy;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Whether pods wait for routes. */
public enum RouteAcknowledgement {
    /** Pods wait for circuits alone. */
    @JsonProperty("None")
    NONE,

    /** Pods also wait until a router has acknowledged that its routes follow the circuits. */
    @JsonProperty("Required")
    REQUIRED
}
