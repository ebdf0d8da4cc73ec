package dev.lightpath.crds;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** Mutual TLS towards a driver. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record DriverTls(
        @JsonPropertyDescription(
                "Secret of type kubernetes.io/tls with ca.crt beside it, in the namespace of the operator; it is read from nowhere else.")
        @Required
        @Pattern(Formats.OBJECT_NAME)
        @Size(min = 1, max = 253)
        String secretName) {}
