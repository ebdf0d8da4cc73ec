package dev.lightpath.crds.opticalswitch;

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

/** One optical circuit switch behind a driver. Cluster-scoped. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonClassDescription("One optical circuit switch behind a driver.")
@Group(ApiGroup.NAME)
@Version(ApiGroup.VERSION)
@Kind(OpticalSwitch.KIND)
@Singular("opticalswitch")
@Plural("opticalswitches")
@ShortNames("osw")
@ValidationRule(
        value = "self.metadata.name.size() <= 63",
        message = "metadata.name becomes the value of a label: write at most 63 characters")
@AdditionalPrinterColumn(name = "Fabric", jsonPath = ".spec.fabric")
@AdditionalPrinterColumn(name = "Ready", jsonPath = ".status.conditions[?(@.type==\"Ready\")].status")
@AdditionalPrinterColumn(name = "Reason", jsonPath = ".status.conditions[?(@.type==\"Ready\")].reason")
@AdditionalPrinterColumn(
        name = "Circuits",
        jsonPath = ".status.observed.circuits",
        type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
        name = "Failed",
        jsonPath = ".status.ports.failed",
        type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(name = "Drained", jsonPath = ".spec.drained", type = AdditionalPrinterColumn.Type.BOOLEAN)
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public final class OpticalSwitch extends CustomResource<OpticalSwitchSpec, OpticalSwitchStatus> {

    /** The kind in manifests. */
    public static final String KIND = "OpticalSwitch";

    private static final long serialVersionUID = 1L;
}
