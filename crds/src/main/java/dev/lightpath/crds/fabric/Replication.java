package dev.lightpath.crds.fabric;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Which cluster of a PolarFly is copied. */
public enum Replication {
    /** The cluster of the quadrics: q + 1 racks, the diameter stays 2. */
    @JsonProperty("Quadric")
    QUADRIC,

    /** The next other cluster: q racks, the diameter becomes 3. */
    @JsonProperty("NonQuadric")
    NON_QUADRIC
}
