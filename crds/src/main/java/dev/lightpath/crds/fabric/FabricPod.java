package dev.lightpath.crds.fabric;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.lightpath.crds.Formats;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** One unit wired to the switches. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = "self.index == oldSelf.index",
        message = "index of a pod cannot be changed: remove the pod and add it under another name")
public record FabricPod(
        @JsonPropertyDescription("Name, unique in the fabric, and the value of the pod label of its nodes.")
        @Required
        @Pattern(Formats.LABEL_VALUE)
        @Size(min = 1, max = 63)
        String name,

        @JsonPropertyDescription("Place of the pod in the order of the fabric, from 0, unique; it cannot be changed.")
        @Required
        @Min(0)
        @Max(65535)
        int index,

        @JsonPropertyDescription("Optical ports of the pod.") @Required @Min(1) @Max(65536)
        int ports,

        @JsonPropertyDescription("GPUs of the pod.") @Required @Min(1) @Max(1048576)
        int gpus) {}
