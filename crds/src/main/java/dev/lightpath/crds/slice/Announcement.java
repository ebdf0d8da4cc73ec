package dev.lightpath.crds.slice;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** That a revision moves light of running pods on purpose, told to a job that has spec.agreement. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Announcement(
        @JsonPropertyDescription("When it was announced, RFC 3339.") @Required @Size(min = 1, max = 64)
        String at,

        @JsonPropertyDescription("When the light moves without an answer, RFC 3339.") @Required @Size(min = 1, max = 64)
        String until,

        @JsonPropertyDescription("""
                Why the light may move: Agreed, LimitPassed, LightLost (a fault struck the job meanwhile) or NotNeeded (no \
                pod uses the light, or spec.agreement is gone). Absent while it stays.\
                """) @Nullable AnnouncementAnswer answer,

        @JsonPropertyDescription("When the answer was recorded, RFC 3339.") @Size(min = 1, max = 64) @Nullable
        String answeredAt) {

    /** Whether the light stays where it is. */
    public boolean open() {
        return answer == null;
    }
}
