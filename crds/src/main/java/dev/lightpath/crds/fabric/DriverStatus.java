package dev.lightpath.crds.fabric;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** The driver as last seen. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record DriverStatus(
        @JsonPropertyDescription("Name that the driver gives itself.") @Size(max = 253) @Nullable
        String name,

        @JsonPropertyDescription("Version that the driver gives itself.") @Size(max = 253) @Nullable
        String version,

        @JsonPropertyDescription("Whether the driver answers.")
        boolean connected,

        @JsonPropertyDescription(
                "Highest fencing epoch that the driver reports, or the one that this installation never gave.")
        @Min(0)
        @Nullable
        Long epoch) {}
