package dev.lightpath.crds.fabric;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** Racks as the polarity graph of order q, with copies of its clusters where it has grown. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record PolarFly(
        @JsonPropertyDescription("q, a power of a prime: q*q + q + 1 racks with up to q + 1 neighbours each.")
        @Required
        @Min(2)
        @Max(127)
        int order,

        @JsonPropertyDescription(
                "Clusters added since, in the order of their installation; no circuit that exists moves for them.")
        @Size(max = 128)
        List<PolarFlyCopy> copies) {

    public PolarFly {
        copies = List.copyOf(requireNonNullElse(copies, List.of()));
    }
}
