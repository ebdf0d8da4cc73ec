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
import io.fabric8.kubernetes.api.model.LabelSelector;
import org.jspecify.annotations.Nullable;

/** Nodes with transceivers that switch light: bundle {@code i} of a node reaches the node {@code i} hops away. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = "self.shape != 'Ring' || has(self.positions)",
        message = "a Ring needs positions: write the number of nodes that the fibre connects")
@ValidationRule(
        value = "self.reach <= self.gpusPerNode",
        message = "reach must be at most gpusPerNode: a node has one bundle per GPU at most")
@ValidationRule(
        value = "self.shape != 'Ring' || !has(self.positions) || 2 * self.reach <= self.positions",
        message = "reach must be at most positions / 2 on a Ring: lower reach or raise positions")
@ValidationRule(
        value = "!has(self.positions) || self.positions % self.nodesPerTor == 0",
        message = "positions must be a multiple of nodesPerTor")
@ValidationRule(
        value =
                "!has(self.positions) || !has(self.nodesPerAggregation) || self.positions % self.nodesPerAggregation == 0",
        message =
                "positions must be a multiple of nodesPerAggregation: omit nodesPerAggregation to have all nodes below one")
@ValidationRule(
        value = "!has(self.nodesPerAggregation) || self.nodesPerAggregation % self.nodesPerTor == 0",
        message = "nodesPerAggregation must be a multiple of nodesPerTor")
@ValidationRule(value = "self.shape == oldSelf.shape", message = "shape cannot be changed, " + OcsTrx.FIXED)
@ValidationRule(value = "self.reach == oldSelf.reach", message = "reach cannot be changed, " + OcsTrx.FIXED)
@ValidationRule(
        value = "self.gpusPerNode == oldSelf.gpusPerNode",
        message = "gpusPerNode cannot be changed, " + OcsTrx.FIXED)
@ValidationRule(
        value = "!has(oldSelf.positions) || (has(self.positions) && self.positions >= oldSelf.positions)",
        message = "positions cannot become fewer, " + OcsTrx.FIXED)
@ValidationRule(
        value = "!self.positionLabel.startsWith('lightpath.dev/topology-')"
                + " && !(has(self.torLabel) && self.torLabel.startsWith('lightpath.dev/topology-'))",
        message = "positionLabel and torLabel must be labels of yours: the operator writes lightpath.dev/topology-*"
                + " (topologyLabels)")
public record OcsTrx(
        @JsonPropertyDescription("Ring or Line.") @Required Shape shape,

        @JsonPropertyDescription("K: bundles per node, and the farthest hop a bundle passes, in positions.")
        @Required
        @Min(2)
        @Max(8)
        int reach,

        @JsonPropertyDescription("R: GPUs of each node.") @Required @Min(1) @Max(64)
        int gpusPerNode,

        @JsonPropertyDescription("""
                Extended resource that counts the GPUs. A node with less of it allocatable than gpusPerNode is \
                faulty. A node with GPUs requested by pods of others is busy: not placeable, not faulty.\
                """)
        @Default("nvidia.com/gpu")
        @Pattern(Formats.EXTENDED_RESOURCE)
        @Size(min = 1, max = 316)
        String gpuResource,

        @JsonPropertyDescription("p: nodes below one top-of-rack switch.") @Default("1") @Min(1) @Max(65536)
        Integer nodesPerTor,

        @JsonPropertyDescription(
                "d: nodes below one aggregation switch, a multiple of nodesPerTor; omitted: all nodes.")
        @Min(1)
        @Max(65536)
        @Nullable
        Integer nodesPerAggregation,

        @JsonPropertyDescription("""
                Node label whose value names the top-of-rack switch; omitted: the one of ring position x is x mod \
                (positions / nodesPerTor).\
                """) @Pattern(Formats.LABEL_KEY) @Size(min = 1, max = 316) @Nullable
        String torLabel,

        @JsonPropertyDescription(
                "Labels of the nodes that belong to the fabric; omitted or empty: every node with the position label.")
        @Nullable
        LabelSelector nodeSelector,

        @JsonPropertyDescription("""
                Node label whose value is the position, an integer from 0, unique in the fabric. A position \
                without a node is faulty; so are two nodes with the same position.\
                """)
        @Default("lightpath.dev/ring-position")
        @Pattern(Formats.LABEL_KEY)
        @Size(min = 1, max = 316)
        String positionLabel,

        @JsonPropertyDescription("""
                Length in positions. Required with Ring, because the fibre is fixed. Omitted with Line: the \
                highest label ever seen + 1, kept in status.positions.\
                """) @Min(2) @Max(65536) @Nullable
        Integer positions,

        @JsonPropertyDescription("The driver of all transceivers; the device id of a node is its name.") @Required
        FabricDriver driver) {

    static final String FIXED = "the fibre is fixed: delete the jobs of this fabric and the fabric itself, and create a"
            + " new OpticalFabric";

    public OcsTrx {
        gpuResource = requireNonNullElse(gpuResource, "nvidia.com/gpu");
        nodesPerTor = requireNonNullElse(nodesPerTor, 1);
        positionLabel = requireNonNullElse(positionLabel, LightpathLabels.RING_POSITION);
    }
}
