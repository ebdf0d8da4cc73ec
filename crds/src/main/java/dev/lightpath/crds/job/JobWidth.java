package dev.lightpath.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;

/** How many of its replicas an elastic job has. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record JobWidth(
        @JsonPropertyDescription("Data-parallel replicas that have nodes.") @Required @Min(1)
        int replicas,

        @JsonPropertyDescription("Data-parallel replicas that the job wants: parallelism.data.") @Required @Min(1)
        int wished) {}
