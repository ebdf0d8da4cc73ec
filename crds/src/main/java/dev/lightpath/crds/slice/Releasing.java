package dev.lightpath.crds.slice;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** Light of earlier revisions that has not yet been read back released. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Releasing(
        @JsonPropertyDescription("Nodes whose transceivers go to LOOPBACK.") @Size(max = 65536)
        List<@Size(min = 1, max = 253) String> nodes,

        @JsonPropertyDescription("Circuits that go dark.") @Size(max = 1024)
        List<SwitchCircuits> circuits) {

    public Releasing {
        nodes = List.copyOf(requireNonNullElse(nodes, List.of()));
        circuits = List.copyOf(requireNonNullElse(circuits, List.of()));
    }
}
