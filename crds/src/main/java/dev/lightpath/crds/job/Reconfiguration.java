package dev.lightpath.crds.job;

import com.fasterxml.jackson.annotation.JsonProperty;

/** When circuits of a running job may move to improve it. */
public enum Reconfiguration {
    /** Only a fault moves it. */
    @JsonProperty("Never")
    NEVER,

    /** When the pods restart anyway. */
    @JsonProperty("AtRestart")
    AT_RESTART,

    /** At any time, within the disruption budget. */
    @JsonProperty("Live")
    LIVE
}
