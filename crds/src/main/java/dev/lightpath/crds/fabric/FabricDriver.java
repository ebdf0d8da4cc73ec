package dev.lightpath.crds.fabric;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.lightpath.crds.DriverTls;
import dev.lightpath.crds.Formats;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** Where the driver of a fabric of transceivers listens. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(value = Formats.ENDPOINT_OR_TEMPLATE_RULE, message = Formats.ENDPOINT_OR_TEMPLATE_MESSAGE)
public record FabricDriver(
        @JsonPropertyDescription("""
                Address of the driver server as host:port. If each node has an agent of its own: {node}:port, with the \
                name of the Node, or {address}:port, with its address of type InternalIP.\
                """) @Required @Size(min = 1, max = 261)
        String endpoint,

        @JsonPropertyDescription("Client certificate for the driver; omitted: plaintext.") @Nullable
        DriverTls tls) {}
