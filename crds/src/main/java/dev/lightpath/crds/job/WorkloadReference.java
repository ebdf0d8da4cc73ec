package dev.lightpath.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.lightpath.crds.Formats;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** An existing workload; its template is never edited. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record WorkloadReference(
        @JsonPropertyDescription("For example jobset.x-k8s.io/v1alpha2.")
        @Required
        @Pattern(Formats.API_VERSION)
        @Size(min = 1, max = 316)
        String apiVersion,

        @JsonPropertyDescription("For example JobSet.") @Required @Pattern(Formats.KIND) @Size(min = 1, max = 63)
        String kind,

        @JsonPropertyDescription("Its name.") @Required @Pattern(Formats.OBJECT_NAME) @Size(min = 1, max = 253)
        String name) {}
