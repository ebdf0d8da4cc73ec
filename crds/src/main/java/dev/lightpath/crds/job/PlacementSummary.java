package dev.lightpath.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** Summary of a job's placement. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record PlacementSummary(
        @JsonPropertyDescription("Tensor-parallel groups.") @Min(0) @Nullable
        Integer groups,

        @JsonPropertyDescription("""
                Share of the traffic between groups that leaves the top-of-rack switch, 0 to 1, a decimal as a \
                string.\
                """) @Size(max = 32) @Nullable
        String crossTorRatio,

        @JsonPropertyDescription("Healthy free nodes within reach of a group.") @Min(0) @Nullable
        Integer spareNodes) {}
