package dev.lightpath.crds.slice;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** The nodes of one group. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record GroupAllocation(
        @JsonPropertyDescription("Number of the group in its job, from 0.") @Required @Min(0)
        int index,

        @JsonPropertyDescription("Names of its nodes in ring order, which is rank order.")
        @Required
        @Size(min = 1, max = 65536)
        List<@Size(min = 1, max = 253) String> nodes,

        @JsonPropertyDescription("""
                On a ring or line: position of each of these nodes when it was chosen. Circuits are derived from \
                it, also when the Node is gone. For pods on optical switches: the index of the pod.\
                """) @Size(max = 65536) List<@Min(0) @Max(65535) Integer> positions) {

    public GroupAllocation {
        positions = List.copyOf(requireNonNullElse(positions, List.of()));
        nodes = List.copyOf(requireNonNullElse(nodes, List.of()));
    }
}
