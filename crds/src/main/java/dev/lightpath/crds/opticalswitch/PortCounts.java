package dev.lightpath.crds.opticalswitch;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;

/** Ports of a switch by state. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record PortCounts(
        @JsonPropertyDescription("Wired and reserved ports.") @Min(0)
        int total,

        @JsonPropertyDescription("Ports without a finding.") @Min(0)
        int healthy,

        @JsonPropertyDescription("Ports that carry light worse than they should.") @Min(0)
        int degraded,

        @JsonPropertyDescription("Ports that carry no light.") @Min(0)
        int failed) {}
