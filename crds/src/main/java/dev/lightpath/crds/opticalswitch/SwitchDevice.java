package dev.lightpath.crds.opticalswitch;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** A switch as it describes itself. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record SwitchDevice(
        @JsonPropertyDescription("Vendor.") @Size(max = 253) @Nullable
        String vendor,

        @JsonPropertyDescription("Model.") @Size(max = 253) @Nullable
        String model,

        @JsonPropertyDescription("Version of the firmware.") @Size(max = 253) @Nullable
        String firmware,

        @JsonPropertyDescription(
                "OneSided: any port may meet any other; TwoSided: ingress ports meet egress ports only.")
        @Nullable
        Sides sides,

        @JsonPropertyDescription("Ports of the device.") @Min(0) @Nullable
        Integer ports) {}
