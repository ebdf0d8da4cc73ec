package dev.lightpath.crds.job;

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

/** A training run and the optical circuits that it needs. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonClassDescription("A training run and the optical circuits that it needs.")
@Group(ApiGroup.NAME)
@Version(ApiGroup.VERSION)
@Kind(TrainingJob.KIND)
@Singular("trainingjob")
@Plural("trainingjobs")
@ShortNames("tj")
@ValidationRule(
        value = "self.metadata.name.matches('^[a-z0-9]([a-z0-9-]*[a-z0-9])?$') && self.metadata.name.size() <= 63",
        message = "metadata.name becomes the value of labels and part of host names: "
                + "write at most 63 lower-case letters, digits and dashes, no dots")
@ValidationRule(
        value = "!has(self.spec.workload) || !has(self.spec.workload.ref) || self.spec.workload.ref.kind != 'Pod'"
                + " || self.spec.workload.ref.name == self.metadata.name",
        message =
                "spec.workload.ref.name: pods are found by their label lightpath.dev/job, whose value is the name of the"
                        + " TrainingJob: write that name")
@ValidationRule(
        value = TrainingJob.UNPLACED
                + "|| !has(oldSelf.spec.scaleOut) || has(self.spec.model) == has(oldSelf.spec.model) "
                + "&& (!has(self.spec.model) || self.spec.model == oldSelf.spec.model)",
        message = "spec.model cannot be changed once the job is Placed: delete the job and create it anew")
@ValidationRule(
        value = TrainingJob.UNPLACED + "|| self.spec.parallelism == oldSelf.spec.parallelism",
        message = "spec.parallelism cannot be changed once the job is Placed: delete the job and create it anew")
@ValidationRule(
        value = TrainingJob.UNPLACED
                + "|| (has(self.spec.scaleUp) == has(oldSelf.spec.scaleUp) "
                + "&& (!has(self.spec.scaleUp) || self.spec.scaleUp.fabric == oldSelf.spec.scaleUp.fabric))",
        message = "spec.scaleUp.fabric cannot be changed once the job is Placed: delete the job and create it anew")
@ValidationRule(
        value = TrainingJob.UNPLACED
                + "|| (has(self.spec.scaleOut) == has(oldSelf.spec.scaleOut) "
                + "&& (!has(self.spec.scaleOut) || self.spec.scaleOut.fabric == oldSelf.spec.scaleOut.fabric))",
        message = "spec.scaleOut.fabric cannot be changed once the job is Placed: delete the job and create it anew")
@ValidationRule(
        value = TrainingJob.UNPLACED
                + "|| (has(self.spec.workload) == has(oldSelf.spec.workload) "
                + "&& (!has(self.spec.workload) || self.spec.workload == oldSelf.spec.workload))",
        message = "spec.workload cannot be changed once the job is Placed: delete the job and create it anew")
@AdditionalPrinterColumn(name = "Ready", jsonPath = ".status.conditions[?(@.type==\"Ready\")].status")
@AdditionalPrinterColumn(name = "Reason", jsonPath = ".status.conditions[?(@.type==\"Ready\")].reason")
@AdditionalPrinterColumn(name = "GPUs", jsonPath = ".status.gpus", type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(name = "Nodes", jsonPath = ".status.nodes", type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(name = "Attempt", jsonPath = ".status.attempt", type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(name = "Iteration", jsonPath = ".status.prediction.iterationSeconds")
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public final class TrainingJob extends CustomResource<TrainingJobSpec, TrainingJobStatus> implements Namespaced {

    /** The kind in manifests. */
    public static final String KIND = "TrainingJob";

    static final String UNPLACED = "!has(oldSelf.status) || !has(oldSelf.status.conditions)"
            + " || !oldSelf.status.conditions.exists(c, c.type == 'Placed' && c.status == 'True') ";

    private static final long serialVersionUID = 1L;
}
