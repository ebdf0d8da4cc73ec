package dev.lightpath.crds.slice;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** Circuits on one switch. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record SwitchCircuits(
        @JsonPropertyDescription("Name of the OpticalSwitch.")
        @Required
        @Size(min = 1, max = 63)
        @JsonProperty("switch")
        String opticalSwitch,

        @JsonPropertyDescription("Circuits as INGRESS-EGRESS by port label, for example 1-177.")
        @Required
        @Size(max = 16384)
        List<@Size(min = 3, max = 127) String> circuits) {

    public SwitchCircuits {
        circuits = List.copyOf(requireNonNullElse(circuits, List.of()));
    }
}
