package dev.lightpath.crds.slice;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What ended the waiting for the answer of a job. */
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

    /**
     * No pod uses the light any more, the job does not ask to be asked, the light is not to move any more, or the job
     * that it makes room for waits no more.
     */
    @JsonProperty("NotNeeded")
    NOT_NEEDED
}
