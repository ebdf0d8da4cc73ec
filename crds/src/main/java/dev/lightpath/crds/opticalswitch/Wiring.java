package dev.lightpath.crds.opticalswitch;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Exactly one way to say which port of which pod ends where. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = "(has(self.striped) ? 1 : 0) + (has(self.ports) ? 1 : 0) + (has(self.unknown) ? 1 : 0) == 1",
        message = "write exactly one of striped (a rule for all pods), ports (a list, one entry per port) and unknown"
                + " (nothing is planned on the switch; kubectl lightpath discover finds its fibres)")
public record Wiring(
        @JsonPropertyDescription("The same number of ports for each pod, one pod after the other.") @Nullable
        StripedWiring striped,

        @JsonPropertyDescription("Port by port.") @Size(min = 1, max = 4096)
        List<PortWiring> ports,

        @JsonPropertyDescription(
                "Not known yet: nothing is planned on the switch, and kubectl lightpath discover finds its fibres.")
        @Nullable
        UnknownWiring unknown) {

    public Wiring {
        ports = List.copyOf(requireNonNullElse(ports, List.of()));
    }
}
