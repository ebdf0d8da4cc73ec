package dev.lightpath.crds.fabric;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.lightpath.crds.ApiGroup;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/** What exists: nodes on a ring of transceivers, or pods wired to optical circuit switches. Cluster-scoped. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonClassDescription("What exists: nodes on a ring of transceivers, or pods wired to optical circuit switches.")
@Group(ApiGroup.NAME)
@Version(ApiGroup.VERSION)
@Kind(OpticalFabric.KIND)
@Singular("opticalfabric")
@Plural("opticalfabrics")
@ShortNames("of")
@ValidationRule(
        value = "self.metadata.name.size() <= 63",
        message = "metadata.name becomes the value of a label: write at most 63 characters")
@AdditionalPrinterColumn(name = "Ready", jsonPath = ".status.conditions[?(@.type==\"Ready\")].status")
@AdditionalPrinterColumn(name = "Reason", jsonPath = ".status.conditions[?(@.type==\"Ready\")].reason")
@AdditionalPrinterColumn(name = "Nodes", jsonPath = ".status.nodes.total", type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
        name = "Faulty",
        jsonPath = ".status.nodes.faulty",
        type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(name = "GPUs", jsonPath = ".status.gpus.usable", type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
        name = "Allocated",
        jsonPath = ".status.gpus.allocated",
        type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(name = "Lit", jsonPath = ".status.circuits.lit", type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(name = "Paused", jsonPath = ".spec.paused", type = AdditionalPrinterColumn.Type.BOOLEAN)
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public final class OpticalFabric extends CustomResource<OpticalFabricSpec, OpticalFabricStatus> {

    /** The kind in manifests. */
    public static final String KIND = "OpticalFabric";

    private static final long serialVersionUID = 1L;
}
