package dev.lightpath.crds.fabric.policy;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;

/** Ports of TCP that follow each other. */
@JsonIgnoreProperties(ignoreUnknown = true)
@ValidationRule(value = "self.from <= self.to", message = "from must be at most to: write the lower port as from")
public record PortRange(
        @JsonPropertyDescription("The lowest of them.") @Required @Min(1024) @Max(65535)
        int from,

        @JsonPropertyDescription("The highest of them.") @Required @Min(1024) @Max(65535)
        int to) {

    /** Whether a port is one of them. */
    public boolean contains(int port) {
        return from <= port && port <= to;
    }

    /** As people write it: 8471, or 8400-8499. */
    public String words() {
        return from == to ? Integer.toString(from) : from + "-" + to;
    }
}
