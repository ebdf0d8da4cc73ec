package dev.lightpath.crds.fabric.policy;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What happens to circuits that no record explains. */
public enum ForeignCircuits {
    /** They are reported and left alone. */
    @JsonProperty("Report")
    REPORT,

    /** They are taken down. */
    @JsonProperty("Remove")
    REMOVE
}
