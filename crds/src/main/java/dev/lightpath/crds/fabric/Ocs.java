package dev.lightpath.crds.fabric;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.lightpath.crds.Formats;
import dev.lightpath.crds.LightpathLabels;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;

/** Units wired to optical circuit switches, and what topology the switches make of them. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = "!self.podLabel.startsWith('lightpath.dev/topology-')",
        message = "podLabel must be a label of yours: the operator writes lightpath.dev/topology-* (topologyLabels)")
public record Ocs(
        @JsonPropertyDescription("Rate of one circuit in Gb/s, each way.") @Default("400") @Min(1) @Max(1000000)
        Integer circuitGbps,

        @JsonPropertyDescription("GPUs of each node.") @Default("8") @Min(1) @Max(64)
        Integer gpusPerNode,

        @JsonPropertyDescription("""
                Extended resource that counts the GPUs. A node with GPUs requested by pods of others is busy: not \
                placeable, not faulty.\
                """)
        @Default("nvidia.com/gpu")
        @Pattern(Formats.EXTENDED_RESOURCE)
        @Size(min = 1, max = 316)
        String gpuResource,

        @JsonPropertyDescription(
                "Units wired to the switches: pods of a logical topology, cubes of a torus, racks of a PolarFly.")
        @Required
        @Size(min = 1, max = 4096)
        List<FabricPod> pods,

        @JsonPropertyDescription("Node label whose value is the name of the pod the node stands in.")
        @Default("lightpath.dev/pod")
        @Pattern(Formats.LABEL_KEY)
        @Size(min = 1, max = 316)
        String podLabel,

        @JsonPropertyDescription("What the circuits make of the pods.") @Required
        Topology topology) {

    public Ocs {
        circuitGbps = requireNonNullElse(circuitGbps, 400);
        gpusPerNode = requireNonNullElse(gpusPerNode, 8);
        gpuResource = requireNonNullElse(gpuResource, "nvidia.com/gpu");
        pods = List.copyOf(requireNonNullElse(pods, List.of()));
        podLabel = requireNonNullElse(podLabel, LightpathLabels.POD);
    }
}
