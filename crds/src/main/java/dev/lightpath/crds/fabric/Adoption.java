package dev.lightpath.crds.fabric;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What happens to circuits that no record explains at the first contact. */
public enum Adoption {
    /** They stay and count as foreign. */
    @JsonProperty("Keep")
    KEEP,

    /** They are taken down. */
    @JsonProperty("Reset")
    RESET
}
