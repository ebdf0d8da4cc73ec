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
                + " || self.kind == 'Job' && self.apiVersion == 'batch/v1'",
        message = "ref must name a JobSet (apiVersion jobset.x-k8s.io/v1alpha2) or a Job (apiVersion batch/v1)")
@ValidationRule(
        value = "!has(self.replicatedJobs) || size(self.replicatedJobs) == 0 || self.kind == 'JobSet'",
        message = "replicatedJobs goes with kind JobSet: a Job has pods of one kind")
public record WorkloadReference(
        @JsonPropertyDescription("For example jobset.x-k8s.io/v1alpha2.")
        @Required
        @Pattern(Formats.API_VERSION)
        @Size(min = 1, max = 316)
        String apiVersion,

        @JsonPropertyDescription("For example JobSet.") @Required @Pattern(Formats.KIND) @Size(min = 1, max = 63)
        String kind,

        @JsonPropertyDescription("Its name.") @Required @Pattern(Formats.OBJECT_NAME) @Size(min = 1, max = 253)
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
