package dev.lightpath.crds.job;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** The model, as far as its traffic depends on it. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = "has(self.preset) != has(self.shape)",
        message = "write exactly one of preset (a known model) and shape (the sizes of any other)")
public record Model(
        @JsonPropertyDescription("A model that is known by name. Exactly one of preset and shape.") @Nullable
        ModelPreset preset,

        @JsonPropertyDescription("Any other model. Exactly one of preset and shape.") @Nullable
        ModelShape shape,

        @JsonPropertyDescription("Tokens in one sequence.") @Default("4096") @Min(1) @Max(16777216)
        Integer sequenceLength) {

    public Model {
        sequenceLength = requireNonNullElse(sequenceLength, 4096);
    }

    /** Whether it has no experts. Exactly one of preset and shape is written. */
    public boolean dense() {
        return preset != null ? preset.dense() : shape == null || shape.dense();
    }
}
