package dev.lightpath.crds.slice;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.lightpath.crds.job.Prediction;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** Circuits that follow a job's traffic, and what is expected of them. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ChosenCircuits(
        @JsonPropertyDescription("Digest of the question that they answer: the same question is not asked again.")
        @Required
        @Size(min = 1, max = 64)
        String question,

        @JsonPropertyDescription("""
                Circuits between pods of the fabric: of neighbouring stages in their order, then of the same stages of other \
                replicas.\
                """) @Size(max = 32768) List<@Min(0) Integer> circuits,

        @JsonPropertyDescription("What is expected of them.") @Required
        Prediction prediction) {

    public ChosenCircuits {
        circuits = List.copyOf(requireNonNullElse(circuits, List.of()));
    }
}
