package dev.lightpath.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** The record of a deleted slice that the job still needs, until the slice is written again. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record CarriedAllocation(
        @JsonPropertyDescription("Name of the slice.") @Required @Size(max = 253)
        String slice,

        @JsonPropertyDescription("Its fabric.") @Required @Size(max = 253)
        String fabric,

        @JsonPropertyDescription("The attempt that it serves.") @Required @Min(0)
        int attempt,

        @JsonPropertyDescription("""
                Its allocation as JSON, as the slice had it; a long one as gzip: and the base64 of that JSON, \
                compressed.\
                """) @Required @Size(max = 1048576)
        String allocation,

        @JsonPropertyDescription("""
                What the slice asks for, as text like its allocation; omitted by older versions: what the job asks \
                for.\
                """) @Size(max = 1048576) @Nullable
        String demand) {}
