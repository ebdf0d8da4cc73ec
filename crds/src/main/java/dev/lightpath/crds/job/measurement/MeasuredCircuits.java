package dev.lightpath.crds.job.measurement;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** Iterations that were measured with the same circuits. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record MeasuredCircuits(
        @JsonPropertyDescription(
                "Circuits between pods of the fabric, in the order of allocation.chosen.circuits of the slice.")
        @Size(max = MOST_COUNTS)
        List<@Min(0) Integer> circuits,

        @JsonPropertyDescription("Seconds of an iteration, decimals as strings, the latest last.")
        @Size(max = MOST_TIMES)
        List<@Size(min = 1, max = 32) String> seconds) {
    /** Jobs with more counts are measured, and nothing is learnt from them. */
    public static final int MOST_COUNTS = 256;

    public static final int MOST_TIMES = 5;

    public MeasuredCircuits {
        circuits = List.copyOf(requireNonNullElse(circuits, List.of()));
        seconds = List.copyOf(requireNonNullElse(seconds, List.of()));
    }
}
