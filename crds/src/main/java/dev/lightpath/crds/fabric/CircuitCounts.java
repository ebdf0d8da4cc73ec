package dev.lightpath.crds.fabric;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import java.util.List;

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
        int missing,

        @JsonPropertyDescription(
                "The first of the lit circuits that no record explains, as DEVICE/INGRESS->EGRESS, at most 64.")
        @Size(max = CircuitCounts.MOST_NAMED)
        List<String> foreignCircuits) {
    /** Most circuits that are named. */
    public static final int MOST_NAMED = 64;

    /** The same without the names of foreign circuits. */
    public CircuitCounts withoutForeignCircuits() {
        return new CircuitCounts(planned, lit, foreign, missing, List.of());
    }

    public CircuitCounts {
        foreignCircuits = List.copyOf(requireNonNullElse(foreignCircuits, List.of()));
    }
}
