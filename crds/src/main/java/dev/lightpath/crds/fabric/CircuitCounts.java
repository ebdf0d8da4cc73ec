package dev.lightpath.crds.fabric;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;

/** Circuits of a fabric by state. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record CircuitCounts(
        @JsonPropertyDescription(
                "Planned circuits: those of slices and, on a ring, the loopbacks of all other bundles.")
        @Min(0)
        int planned,

        @JsonPropertyDescription("Circuits read back lit.") @Min(0)
        int lit,

        @JsonPropertyDescription("Lit circuits that no record explains.") @Min(0)
        int foreign,

        @JsonPropertyDescription("Planned circuits that are not lit.") @Min(0)
        int missing) {}
