package dev.lightpath.crds.slice;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** How a revision of an allocation came about. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record AllocationOrigin(
        @JsonPropertyDescription("""
                The planner that decided it: line, rack, local-repair, minimal-repair, compaction, inheritance, \
                link-repair, delta.\
                """) @Required @Size(max = 32)
        String planner,

        @JsonPropertyDescription("""
                Bundles of the slice's nodes that have another state than before; on optical switches circuits \
                that are new.\
                """) @Min(0) int bundles,

        @JsonPropertyDescription("Why, for people.") @Size(max = 512)
        String why,

        @JsonPropertyDescription("Length of the planning pass that decided it, in microseconds.") @Min(0) @Nullable
        Long planMicroseconds) {}
