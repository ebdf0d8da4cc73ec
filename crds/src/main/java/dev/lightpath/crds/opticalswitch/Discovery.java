package dev.lightpath.crds.opticalswitch;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the fibres of a switch lead, found by probing circuits on ports that nobody uses. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Discovery(
        @JsonPropertyDescription("Annotation lightpath.dev/discover that this answers.")
        @Required
        @Size(min = 1, max = 64)
        String request,

        @JsonPropertyDescription("True once every port that could be probed was.") @Nullable
        Boolean over,

        @JsonPropertyDescription("What it waits for, in words.") @Size(max = 1024) @Nullable
        String waitsFor,

        @JsonPropertyDescription("Ends of fibres at the switch: ports, of a two-sided switch each side.") @Min(0)
        int ends,

        @JsonPropertyDescription("Of these, how many it is known of.") @Min(0)
        int known,

        @JsonPropertyDescription("Probing circuits so far.") @Min(0)
        int circuits,

        @JsonPropertyDescription("""
                Probing circuits that may be lit, as INGRESS->EGRESS. One is written here before it is made, and stays \
                until it is read back dark.\
                """) @Size(max = 64) List<@Size(min = 1, max = 128) String> probes,

        @JsonPropertyDescription("What was found, port by port.") @Size(max = 8192)
        List<FoundPort> ports,

        @JsonPropertyDescription("Where the fibres are not as spec.wiring says, one line each; the first 64.")
        @Size(max = Discovery.MOST_FINDINGS)
        List<@Size(min = 1, max = 512) String> findings) {

    /** Most findings in the status. */
    public static final int MOST_FINDINGS = 64;

    public Discovery {
        probes = List.copyOf(requireNonNullElse(probes, List.of()));
        ports = List.copyOf(requireNonNullElse(ports, List.of()));
        findings = List.copyOf(requireNonNullElse(findings, List.of()));
    }

    /** Whether every port that could be probed was. */
    public boolean ended() {
        return Boolean.TRUE.equals(over);
    }
}
