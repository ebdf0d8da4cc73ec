package dev.lightpath.crds.fabric.policy;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** At which ports of their pods jobs may be asked before their light moves. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record AgreementHooks(
        @JsonPropertyDescription("Ports that spec.agreement.hook.port of a job may name.")
        @Required
        @Size(min = 1, max = 16)
        List<PortRange> ports) {

    public AgreementHooks {
        ports = List.copyOf(requireNonNullElse(ports, List.of()));
    }
}
