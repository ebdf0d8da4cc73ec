package dev.lightpath.crds.fabric;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;

/** One cluster that was copied to grow the network without moving a circuit. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record PolarFlyCopy(
        @JsonPropertyDescription("Quadric (q + 1 racks, diameter stays 2) or NonQuadric (q racks, diameter 3).")
        @Required
        Replication replicate) {}
