package dev.lightpath.crds.slice;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Why light may move that was announced to its job. */
public enum AnnouncementAnswer {
    /** The job agreed to this revision. */
    @JsonProperty("Agreed")
    AGREED,

    /** The job did not answer within agreement.waitSeconds. */
    @JsonProperty("LimitPassed")
    LIMIT_PASSED,

    /** A fault took light or nodes of the job meanwhile. */
    @JsonProperty("LightLost")
    LIGHT_LOST,

    /** No pod uses the light any more, or the job does not ask to be asked any more. */
    @JsonProperty("NotNeeded")
    NOT_NEEDED
}
