package dev.lightpath.crds.fabric.policy;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** How much of a fabric the jobs of this namespace may hold. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record NamespaceQuota(
        @JsonPropertyDescription("Name of the namespace, unique in the list.") @Required @Size(min = 1, max = 63)
        String name,

        @JsonPropertyDescription("GPUs that its jobs may hold together.") @Min(0) @Max(16777216) @Nullable
        Integer gpus,

        @JsonPropertyDescription("Jobs that may hold light.") @Min(0) @Max(1048576) @Nullable
        Integer jobs) {}
