package dev.lightpath.crds.fabric;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;

/** GPUs of a fabric by state. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record GpuCounts(
        @JsonPropertyDescription("GPUs of all nodes.") @Min(0)
        int total,

        @JsonPropertyDescription("GPUs of nodes that could be placed now or are allocated.") @Min(0)
        int usable,

        @JsonPropertyDescription("GPUs that slices hold.") @Min(0)
        int allocated) {}
