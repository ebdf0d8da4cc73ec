package dev.lightpath.crds.job.agreement;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/** That a job is asked before light of its running pods moves on purpose. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Agreement(
        @JsonPropertyDescription("""
                Seconds that its answer is waited for, from the announcement: the annotation lightpath.dev/agreed-revision \
                of the job, or the answer of its hook. Then the light moves without it.\
                """) @Required @Min(1) @Max(Agreement.LONGEST_SECONDS)
        int waitSeconds,

        @JsonPropertyDescription("""
                The process of rank 0 is also asked by HTTP: POST of the announcement, an object of darkness in light.json. \
                200 agrees, 202 or 204 say that it is not ready yet, and it is asked again. Anything else, and no answer \
                within 5 s, is told in the condition HookAnswered. Omitted: only the annotation answers.\
                """) @Nullable AgreementHook hook) {
    /** A day: a switch that is to be serviced waits no longer for a job that never answers. */
    public static final int LONGEST_SECONDS = 86_400;
}
