package dev.lightpath.crds.slice;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.lightpath.crds.Formats;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** One attempt of a TrainingJob. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record JobReference(
        @JsonPropertyDescription("Name of the TrainingJob, in the namespace of the slice.")
        @Required
        @Pattern(Formats.LABEL_VALUE)
        @Size(min = 1, max = 63)
        String name,

        @JsonPropertyDescription("Its UID.") @Required @Size(min = 1, max = 64)
        String uid,

        @JsonPropertyDescription("The attempt, from 1.") @Required @Min(1)
        int attempt) {}
