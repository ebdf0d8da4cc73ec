package dev.lightpath.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** One FabricSlice of a job. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record SliceReference(
        @JsonPropertyDescription("Name of the FabricSlice.") @Required @Size(min = 1, max = 253)
        String name,

        @JsonPropertyDescription("OpticalFabric that it is cut from.") @Required @Size(min = 1, max = 63)
        String fabric,

        @JsonPropertyDescription("Revision of its allocation: it rises with every repair.") @Min(1) @Nullable
        Long revision) {}
