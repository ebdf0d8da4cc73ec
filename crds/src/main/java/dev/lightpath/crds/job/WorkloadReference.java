package dev.lightpath.crds.job;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.lightpath.crds.Formats;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;

/** An existing workload; its template is never edited. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = "self.kind == 'JobSet' && self.apiVersion.startsWith('jobset.x-k8s.io/')"
                + " || self.kind == 'TrainJob' && self.apiVersion.startsWith('trainer.kubeflow.org/')"
                + " || (self.apiVersion + ' ' + self.kind) in ['batch/v1 Job', 'leaderworkerset.x-k8s.io/v1 LeaderWorkerSet',"
                + " 'kubeflow.org/v1 PyTorchJob', 'kubeflow.org/v1 MPIJob', 'ray.io/v1 RayCluster', 'v1 Pod']",
        message = "ref must name a JobSet (jobset.x-k8s.io/v1alpha2), Job (batch/v1), TrainJob"
                + " (trainer.kubeflow.org/v1alpha1), LeaderWorkerSet (leaderworkerset.x-k8s.io/v1), PyTorchJob or MPIJob"
                + " (kubeflow.org/v1), RayCluster (ray.io/v1), or pods (v1, kind Pod)")
@ValidationRule(
        value = "!has(self.replicatedJobs) || size(self.replicatedJobs) == 0 || self.kind in ['JobSet', 'TrainJob']",
        message = "replicatedJobs goes with kinds JobSet and TrainJob: no other has replicated jobs")
public record WorkloadReference(
        @JsonPropertyDescription("For example jobset.x-k8s.io/v1alpha2.")
        @Required
        @Pattern(Formats.API_VERSION)
        @Size(min = 1, max = 316)
        String apiVersion,

        @JsonPropertyDescription("""
                JobSet, Job, TrainJob, LeaderWorkerSet, PyTorchJob, MPIJob, RayCluster or Pod. Pod: all pods with the \
                label lightpath.dev/job, whoever makes them.\
                """) @Required @Pattern(Formats.KIND) @Size(min = 1, max = 63)
        String kind,

        @JsonPropertyDescription("Its name. Of kind Pod the value of the label: the name of the TrainingJob.")
        @Required
        @Pattern(Formats.OBJECT_NAME)
        @Size(min = 1, max = 253)
        String name,

        @JsonPropertyDescription("""
                Replicated jobs of the JobSet whose pods train: they get ranks, nodes and light. Other pods, as a \
                launcher, get none and wait for none. Omitted: those whose pods ask for GPUs of the fabric; if none \
                does, all.\
                """) @Size(max = 64) List<@Size(min = 1, max = 63) String> replicatedJobs) {

    public WorkloadReference {
        replicatedJobs = List.copyOf(requireNonNullElse(replicatedJobs, List.of()));
    }
}
