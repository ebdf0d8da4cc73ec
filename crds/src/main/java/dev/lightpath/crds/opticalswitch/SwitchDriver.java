package dev.lightpath.crds.opticalswitch;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.lightpath.crds.DriverTls;
import dev.lightpath.crds.Formats;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** Where the driver of a switch listens, and the device behind it. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(value = Formats.ENDPOINT_RULE, message = Formats.ENDPOINT_MESSAGE)
public record SwitchDriver(
        @JsonPropertyDescription("Address of the driver server as host:port.") @Required @Size(min = 1, max = 261)
        String endpoint,

        @JsonPropertyDescription("Name of the device at its driver.")
        @Required
        @Pattern(Formats.DEVICE)
        @Size(min = 1, max = 253)
        String deviceId,

        @JsonPropertyDescription("Client certificate for the driver; omitted: plaintext.") @Nullable
        DriverTls tls) {}
