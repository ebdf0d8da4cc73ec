package dev.lightpath.crds.job.measurement;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** How fast GPUs and links of a job are in truth. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record LearntSpeeds(
        @JsonPropertyDescription("""
                Share of the TFLOP/s of a GPU that its model says, a decimal as a string: 0.5 is half as fast. Without \
                linkShare it holds if links are as fast as the fabric says.\
                """) @Required @Size(min = 1, max = 32)
        String computeShare,

        @JsonPropertyDescription("""
                Share of circuitGbps of its fabric, a decimal as a string. Omitted until circuits were measured that \
                differ enough. With it circuits are chosen by both.\
                """) @Size(min = 1, max = 32) @Nullable
        String linkShare) {}
