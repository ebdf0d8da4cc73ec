package dev.lightpath.crds.slice;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.lightpath.crds.Formats;
import dev.lightpath.crds.job.TrafficFormat;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was read of a job's recorded traffic: its source may change or go. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record RecordedTraffic(
        @JsonPropertyDescription("ConfigMap it was read from.")
        @Required
        @Pattern(Formats.OBJECT_NAME)
        @Size(min = 1, max = 253)
        String configMap,

        @JsonPropertyDescription("How it was recorded.") @Required
        TrafficFormat format,

        @JsonPropertyDescription("AICB: forward seconds of a stage and micro-batch, a decimal as a string.")
        @Size(min = 1, max = 32)
        @Nullable
        String forwardSeconds,

        @JsonPropertyDescription("AICB: backward seconds of a stage and micro-batch, a decimal as a string.")
        @Size(min = 1, max = 32)
        @Nullable
        String backwardSeconds,

        @JsonPropertyDescription(
                "AICB: bytes that a stage sends to the next, per micro-batch and direction, a decimal as a string.")
        @Size(min = 1, max = 32)
        @Nullable
        String pipelineBytes,

        @JsonPropertyDescription(
                "AICB: bytes of gradients that leave the pod of the fabric where a stage is, a decimal as a string.")
        @Size(min = 1, max = 32)
        @Nullable
        String dataBytes,

        @JsonPropertyDescription("Chakra: digest of the iteration.") @Size(min = 1, max = 64) @Nullable
        String digest,

        @JsonPropertyDescription("Chakra: pods of the fabric that the job has.") @Min(1) @Nullable
        Integer pods,

        @JsonPropertyDescription("Chakra: pods of the fabric that talk to each other, as first-second, counted from 0.")
        @Size(max = 16384)
        List<String> pairs,

        @JsonPropertyDescription("Chakra: the reduced graph of the iteration, packed.")
        @Size(min = 1, max = 524288)
        @Nullable
        String iteration,

        @JsonPropertyDescription("AICB: micro-batches of an iteration.") @Min(1) @Nullable
        Integer microBatches) {
    public RecordedTraffic {
        pairs = List.copyOf(requireNonNullElse(pairs, List.of()));
    }
}
