package dev.lightpath.crds.opticalswitch;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the fibre of one port leads, as it was found. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record FoundPort(
        @JsonPropertyDescription("Label of the port of the switch.") @Required @Size(min = 1, max = 63)
        String port,

        @JsonPropertyDescription("Which way light goes through it; omitted on any-to-any devices.") @Nullable
        FibreSide side,

        @JsonPropertyDescription("""
                Heard: a probing circuit was heard. InUse: a circuit of a job is heard where the installation says that \
                the fibre ends. Ambiguous: two fibres lead to two far ends, and nothing tells which leads where. Dark: \
                nothing was heard against a port that works. Unheard: nothing was heard, and no port was known to work.\
                """) @Required Evidence evidence,

        @JsonPropertyDescription(
                "Far ends as DEVICE/PORT: one, two where it is ambiguous, none where nothing is heard.")
        @Size(max = 2)
        List<@Size(min = 1, max = 512) String> farEnds,

        @JsonPropertyDescription("""
                Power of the light, dBm, a decimal: as it enters the switch, or as the far end receives it where light \
                leaves the switch. Omitted where it is not measured.\
                """) @Size(max = 16) @Nullable
        String powerDbm,

        @JsonPropertyDescription("When it was found, RFC 3339.") @Required @Size(min = 1, max = 64)
        String at) {
    public FoundPort {
        farEnds = farEnds == null ? List.of() : List.copyOf(farEnds);
    }
}
