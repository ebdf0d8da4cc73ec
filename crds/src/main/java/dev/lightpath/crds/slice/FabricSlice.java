package dev.lightpath.crds.slice;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.lightpath.crds.ApiGroup;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/** The record of what one attempt of a job holds of one fabric. Only the operator writes it. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonClassDescription("The record of what one attempt of a job holds of one fabric. Only the operator writes it.")
@Group(ApiGroup.NAME)
@Version(ApiGroup.VERSION)
@Kind(FabricSlice.KIND)
@Singular("fabricslice")
@Plural("fabricslices")
@ShortNames("fs")
@ValidationRule(
        value = "self.metadata.name.size() <= 63",
        message = "metadata.name becomes the value of a label: write at most 63 characters")
@AdditionalPrinterColumn(name = "Fabric", jsonPath = ".spec.fabric")
@AdditionalPrinterColumn(name = "Job", jsonPath = ".spec.job.name")
@AdditionalPrinterColumn(name = "Attempt", jsonPath = ".spec.job.attempt", type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(name = "Ready", jsonPath = ".status.conditions[?(@.type==\"Ready\")].status")
@AdditionalPrinterColumn(name = "Reason", jsonPath = ".status.conditions[?(@.type==\"Ready\")].reason")
@AdditionalPrinterColumn(
        name = "Applied",
        jsonPath = ".status.programmed.applied",
        type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
        name = "Total",
        jsonPath = ".status.programmed.total",
        type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public final class FabricSlice extends CustomResource<FabricSliceSpec, FabricSliceStatus> implements Namespaced {

    /** The kind in manifests. */
    public static final String KIND = "FabricSlice";

    private static final long serialVersionUID = 1L;
}
