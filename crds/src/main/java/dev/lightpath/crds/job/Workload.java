package dev.lightpath.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** The pods of the job: made from a template, or of an existing workload. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = "has(self.template) != has(self.ref)",
        message =
                "write exactly one of template (pods to make) and ref (an existing workload), or omit workload for light only")
public record Workload(
        @JsonPropertyDescription("""
                PodTemplateSpec; becomes a JobSet with one pod per node. Checked by a dry-run create. At most \
                32 KiB. Exactly one of template and ref.\
                """) @PreserveUnknownFields @Nullable
        JsonNode template,

        @JsonPropertyDescription("""
                An object that exists in the namespace of the job, whose pod template carries the scheduling gate \
                lightpath.dev/circuits. Exactly one of template and ref.\
                """) @Nullable WorkloadReference ref) {}
