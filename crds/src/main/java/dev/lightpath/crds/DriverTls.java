package dev.lightpath.crds;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** Mutual TLS towards a driver. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record DriverTls(
        @JsonPropertyDescription("""
                Secret of type kubernetes.io/tls that also has ca.crt, in the namespace of the operator; other \
                namespaces are never read.\
                """) @Required @Pattern(Formats.OBJECT_NAME) @Size(min = 1, max = 253)
        String secretName,

        @JsonPropertyDescription("""
                DNS name that the certificate of the driver must have. Default: the host of the endpoint. Agents of \
                nodes may share a certificate with one name.\
                """) @Nullable @Pattern(Formats.OBJECT_NAME) @Size(min = 1, max = 253)
        String serverName) {
    /** The certificate of the driver has the host of its endpoint. */
    public DriverTls(String secretName) {
        this(secretName, null);
    }
}
