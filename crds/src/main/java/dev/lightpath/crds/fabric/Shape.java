package dev.lightpath.crds.fabric;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How the nodes are connected. */
public enum Shape {
    /** The last position is a neighbour of the first. */
    @JsonProperty("Ring")
    RING,

    /** The ends are open. */
    @JsonProperty("Line")
    LINE
}
