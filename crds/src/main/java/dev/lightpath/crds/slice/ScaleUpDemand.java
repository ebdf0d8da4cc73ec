package dev.lightpath.crds.slice;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;

/** Groups on a ring or line of transceivers. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ScaleUpDemand(
        @JsonPropertyDescription("Groups.") @Required @Min(1) @Max(1048576)
        int groups,

        @JsonPropertyDescription("GPUs of each group.") @Required @Min(1) @Max(1048576)
        int gpusPerGroup) {}
