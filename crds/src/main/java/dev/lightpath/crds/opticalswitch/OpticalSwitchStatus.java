package dev.lightpath.crds.opticalswitch;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** State of the switch. */
@JsonClassDescription("State of the switch.")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record OpticalSwitchStatus(
        @JsonPropertyDescription("Generation of the spec that this status answers.") @Min(0) @Nullable
        Long observedGeneration,

        @JsonPropertyDescription("What holds, one entry per type; Ready is the summary.") @Size(max = 32)
        List<Condition> conditions,

        @JsonPropertyDescription("The device as it describes itself.") @Nullable
        SwitchDevice device,

        @JsonPropertyDescription("The light as last read back.") @Nullable
        ObservedLight observed,

        @JsonPropertyDescription("Ports by state.") @Nullable
        PortCounts ports,

        @JsonPropertyDescription(
                "Where its fibres lead, as kubectl lightpath discover asked (annotation lightpath.dev/discover).")
        @Nullable
        Discovery discovery) {

    /** The same without conditions; ports whose light gets worse are among the healthy ones. */
    public OpticalSwitchStatus figures() {
        PortCounts working = ports == null
                ? null
                : new PortCounts(ports.total(), ports.healthy() + ports.degraded(), 0, ports.failed());
        return new OpticalSwitchStatus(observedGeneration, List.of(), device, observed, working, discovery);
    }

    public OpticalSwitchStatus {
        conditions = List.copyOf(requireNonNullElse(conditions, List.of()));
    }
}
