package dev.lightpath.crds.opticalswitch;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.lightpath.crds.Formats;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** One port of a pod on the switch. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record PortWiring(
        @JsonPropertyDescription("Label of the port where light of the pod enters the switch.")
        @Required
        @Pattern(Formats.PORT)
        @Size(min = 1, max = 63)
        String ingress,

        @JsonPropertyDescription("Label of the port where light leaves for the pod; omitted on any-to-any devices.")
        @Pattern(Formats.PORT)
        @Size(min = 1, max = 63)
        @Nullable
        String egress,

        @JsonPropertyDescription("Name of the pod in the fabric.")
        @Required
        @Pattern(Formats.LABEL_VALUE)
        @Size(min = 1, max = 63)
        String pod,

        @JsonPropertyDescription("Which of the ports of the pod on this switch, from 0.") @Required @Min(0) @Max(65535)
        int index) {}
