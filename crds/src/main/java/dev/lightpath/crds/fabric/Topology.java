package dev.lightpath.crds.fabric;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** Exactly one of the topologies that the switches can make. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = "[has(self.logical), has(self.twistedTorus), has(self.polarFly)].filter(x, x).size() == 1",
        message = "write exactly one of logical, twistedTorus and polarFly; logical: {} lets the jobs decide")
public record Topology(
        @JsonPropertyDescription("Circuits between pods of the fabric as the jobs need them.") @Nullable
        LogicalTopology logical,

        @JsonPropertyDescription("Cubes of 4x4x4 chips in a box; the slices of jobs are twisted tori.") @Nullable
        TwistedTorus twistedTorus,

        @JsonPropertyDescription("Racks as a PolarFly network, any two at most two hops apart.") @Nullable
        PolarFly polarFly) {}
