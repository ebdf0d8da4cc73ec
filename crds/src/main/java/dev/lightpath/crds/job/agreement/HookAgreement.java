package dev.lightpath.crds.job.agreement;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** That a pod agreed to a move of light when it was asked by its hook. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record HookAgreement(
        @JsonPropertyDescription("FabricSlice whose light moves.") @Required @Size(min = 1, max = 253)
        String slice,

        @JsonPropertyDescription("Revision that it agreed to.") @Required @Min(1)
        Long revision,

        @JsonPropertyDescription("The pod that answered.") @Required @Size(min = 1, max = 253)
        String pod,

        @JsonPropertyDescription("When it answered, RFC 3339.") @Required @Size(min = 1, max = 64)
        String at) {}
