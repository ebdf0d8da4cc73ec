package dev.lightpath.crds.slice;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/**
 * That light of running pods is to move on purpose, told to a job that has spec.agreement. Until it is answered the
 * record has the light of before.
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Announcement(
        @JsonPropertyDescription("""
                Revision that the record is to have once the light moves. The job agrees to it. Absent in what an earlier \
                version wrote: the revision of the record.\
                """) @Min(1) long revision,

        @JsonPropertyDescription("When it was announced, RFC 3339.") @Required @Size(min = 1, max = 64)
        String at,

        @JsonPropertyDescription("When the light moves without an answer, RFC 3339.") @Required @Size(min = 1, max = 64)
        String until,

        @JsonPropertyDescription("""
                What ended the waiting. The light moved: Agreed, LimitPassed. It is decided anew: LightLost (a fault \
                struck the job meanwhile), NotNeeded (no pod uses the light, spec.agreement is gone, the light is not to \
                move any more, or the job that it makes room for waits no more). Absent while the light stays.\
                """) @Nullable AnnouncementAnswer answer,

        @JsonPropertyDescription("When the answer was recorded, RFC 3339.") @Size(min = 1, max = 64) @Nullable
        String answeredAt,

        @JsonPropertyDescription("What the record is to have. Absent once the waiting ended.") @Nullable
        AnnouncedMove then) {

    /** Whether the light stays where it is. What an earlier version announced without a move waits for nothing. */
    public boolean open() {
        return answer == null && then != null;
    }
}
