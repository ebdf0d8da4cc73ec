package dev.lightpath.crds.opticalswitch;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** The circuits of a switch as last read back. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ObservedLight(
        @JsonPropertyDescription("Digest of all cross-connects.") @Size(max = 253) @Nullable
        String digest,

        @JsonPropertyDescription("Circuits that are lit.") @Min(0)
        int circuits,

        @JsonPropertyDescription("Lit circuits that no record explains.") @Min(0)
        int foreign) {}
