package dev.lightpath.crds.fabric;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What becomes of light that no record explains at the first contact. */
public enum Adoption {
    /** It stays and counts as foreign. */
    @JsonProperty("Keep")
    KEEP,

    /** It is taken down. */
    @JsonProperty("Reset")
    RESET
}
