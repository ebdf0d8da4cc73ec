package dev.lightpath.crds.fabric;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** One fault that holds now. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record FaultRecord(
        @JsonPropertyDescription("What is faulty: node/NAME, bundle/NODE/BUNDLE, port/DEVICE/PORT or device/NAME.")
        @Required
        @Size(min = 1, max = 512)
        String subject,

        @JsonPropertyDescription("Why, in one word or phrase.") @Required @Size(min = 1, max = 1024)
        String reason,

        @JsonPropertyDescription("When it began to hold, RFC 3339.") @Required @Size(min = 1, max = 64)
        String since,

        @JsonPropertyDescription("""
                True once it came too often: it stays until a person clears it (annotation \
                lightpath.dev/clear-fault on the Node or OpticalSwitch).\
                """) @Nullable Boolean quarantined,

        @JsonPropertyDescription(
                "More about it: words of the person who declared it faulty (annotation lightpath.dev/faulty), on one line, shortened; or what gets worse (Degrading).")
        @Nullable
        @Size(max = 256)
        String message) {
    /** The reason, and the person's remark. */
    public String told() {
        return message == null ? reason : reason + ": " + message;
    }
}
