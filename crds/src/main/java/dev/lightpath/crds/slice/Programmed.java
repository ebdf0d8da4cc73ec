package dev.lightpath.crds.slice;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;

/** How much of an allocation the devices have taken. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Programmed(
        @JsonPropertyDescription("Circuits and bundle states of the allocation.") @Min(0)
        int total,

        @JsonPropertyDescription("Those acknowledged or read back.") @Min(0)
        int applied,

        @JsonPropertyDescription("Those refused by a device.") @Min(0)
        int failed) {}
