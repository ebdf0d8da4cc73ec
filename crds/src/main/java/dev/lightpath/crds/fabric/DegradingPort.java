package dev.lightpath.crds.fabric;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** A port whose light gets worse. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record DegradingPort(
        @JsonPropertyDescription("The port, as device/port. The name of a switch: it gets worse as a whole.")
        @Required
        @Size(min = 1, max = 512)
        String port,

        @JsonPropertyDescription("Where that was measured, as device/port, if elsewhere.") @Nullable @Size(max = 512)
        String seenAt,

        @JsonPropertyDescription("When it began, RFC 3339.") @Required @Size(min = 1, max = 64)
        String since,

        @JsonPropertyDescription("""
                What was measured, and against what. Told anew when it has changed by a quarter, a bit error ratio by a \
                factor of three.\
                """) @Required @Size(min = 1, max = 256)
        String measured,

        @JsonPropertyDescription("""
                What is done about it. Told: nothing. Leaving: it becomes a fault in a moment. TakenOut: circuits leave \
                it as those of any faulty port. Held: it stays in use, because its circuits find no other place.\
                """) @Required Course course) {

    /** What is done about a port whose light gets worse. */
    public enum Course {
        @JsonProperty("Told")
        TOLD,

        @JsonProperty("Leaving")
        LEAVING,

        @JsonProperty("TakenOut")
        TAKEN_OUT,

        @JsonProperty("Held")
        HELD
    }
}
