package dev.lightpath.crds.opticalswitch;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/**
 * Port labels are numbers; the pod of index i holds ports first + i*portsPerPod up to first + (i+1)*portsPerPod - 1.
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record StripedWiring(
        @JsonPropertyDescription("First ingress port, of the pod of index 0; on an any-to-any device its first port.")
        @Required
        @Min(0)
        @Max(1000000)
        int firstIngress,

        @JsonPropertyDescription("First egress port, of the pod of index 0; omitted on any-to-any devices.")
        @Min(0)
        @Max(1000000)
        @Nullable
        Integer firstEgress,

        @JsonPropertyDescription("Ports of each pod on this switch.") @Required @Min(1) @Max(4096)
        int portsPerPod) {}
