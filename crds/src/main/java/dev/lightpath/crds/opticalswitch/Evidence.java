package dev.lightpath.crds.opticalswitch;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How it is known where a fibre leads. */
public enum Evidence {
    /** A probing circuit was heard. */
    @JsonProperty("Heard")
    HEARD,

    /** A circuit of a job is heard where the installation says that the fibre ends. */
    @JsonProperty("InUse")
    IN_USE,

    /** Two fibres lead to two far ends, and nothing tells which leads where. */
    @JsonProperty("Ambiguous")
    AMBIGUOUS,

    /** Nothing was heard against a port that works. */
    @JsonProperty("Dark")
    DARK,

    /** Nothing was heard, and no port was known to work. */
    @JsonProperty("Unheard")
    UNHEARD
}
