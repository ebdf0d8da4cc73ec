package dev.lightpath.crds.fabric;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;

/** Racks as the polarity graph of order q, with copies of its clusters where it has grown. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = "self.order in [2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29, 31, 32, 37, 41, 43, 47, 49, "
                + "53, 59, 61, 64, 67, 71, 73, 79, 81, 83, 89, 97, 101, 103, 107, 109, 113, 121, 125, 127]",
        message = "order must be a power of a prime, for example 3, 4, 5, 7, 8, 9, 11 or 13")
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
