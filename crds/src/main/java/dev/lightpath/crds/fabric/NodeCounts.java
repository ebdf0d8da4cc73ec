package dev.lightpath.crds.fabric;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;

/** Nodes of a fabric by state. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record NodeCounts(
        @JsonPropertyDescription("Nodes or positions of the fabric.") @Min(0)
        int total,

        @JsonPropertyDescription("Nodes without a fault.") @Min(0)
        int healthy,

        @JsonPropertyDescription("Nodes with a fault, and positions without a node.") @Min(0)
        int faulty,

        @JsonPropertyDescription("Healthy nodes whose GPUs are used by pods of others; counted on transceivers only.")
        @Min(0)
        int busy,

        @JsonPropertyDescription("Nodes that slices hold.") @Min(0)
        int allocated) {}
