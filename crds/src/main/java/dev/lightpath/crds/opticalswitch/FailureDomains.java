package dev.lightpath.crds.opticalswitch;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.lightpath.crds.Formats;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** What a switch shares with others. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record FailureDomains(
        @JsonPropertyDescription("Power feed.") @Pattern(Formats.LABEL_VALUE) @Size(min = 1, max = 63) @Nullable
        String power,

        @JsonPropertyDescription("Control network or controller.")
        @Pattern(Formats.LABEL_VALUE)
        @Size(min = 1, max = 63)
        @Nullable
        String control,

        @JsonPropertyDescription("Rack.") @Pattern(Formats.LABEL_VALUE) @Size(min = 1, max = 63) @Nullable
        String rack) {}
