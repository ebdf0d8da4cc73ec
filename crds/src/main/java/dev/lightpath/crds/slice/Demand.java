package dev.lightpath.crds.slice;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.lightpath.crds.fabric.Topology;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** What is wanted: exactly one of the three. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = "[has(self.scaleUp), has(self.scaleOut), has(self.topology)].filter(x, x).size() == 1",
        message = "write exactly one of scaleUp, scaleOut and topology")
public record Demand(
        @JsonPropertyDescription("Groups on a ring or line of transceivers.") @Nullable
        ScaleUpDemand scaleUp,

        @JsonPropertyDescription("A job on optical circuit switches.") @Nullable
        ScaleOutDemand scaleOut,

        @JsonPropertyDescription("The static topology of a fabric.") @Nullable
        Topology topology) {}
