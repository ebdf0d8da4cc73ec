package dev.lightpath.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;

/** That a job is asked before light of its running pods moves on purpose. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Agreement(
        @JsonPropertyDescription("""
                Seconds that its answer is waited for, from the announcement: the annotation lightpath.dev/agreed-revision \
                of the job. Then the light moves without it.\
                """) @Required @Min(1) @Max(Agreement.LONGEST_SECONDS)
        int waitSeconds) {
    /** A day: a switch that is to be serviced waits no longer for a job that never answers. */
    public static final int LONGEST_SECONDS = 86_400;
}
