package dev.lightpath.crds.slice;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.lightpath.crds.Formats;
import dev.lightpath.crds.job.Model;
import dev.lightpath.crds.job.Parallelism;
import dev.lightpath.crds.job.Rates;
import dev.lightpath.crds.job.ScaleOut;
import dev.lightpath.crds.job.TorusShape;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** What the topology of a job on optical circuit switches depends on, copied from the job. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = "has(self.model) || has(self.torus) || has(self.recorded)",
        message = "write model: circuits follow its traffic")
public record ScaleOutDemand(
        @JsonPropertyDescription("The model. A torus and recorded traffic need none.") @Nullable
        Model model,

        @JsonPropertyDescription("How it is split over GPUs.") @Required
        Parallelism parallelism,

        @JsonPropertyDescription("Micro-batches per iteration and pipeline.") @Required @Min(1)
        int microBatches,

        @JsonPropertyDescription("Sequences in one micro-batch.") @Required @Min(1)
        int microBatchSize,

        @JsonPropertyDescription("How tasks share circuits.") @Required
        Rates rates,

        @JsonPropertyDescription(
                "Share of the iteration time that may be given up to save ports, a decimal as a string.")
        @Required
        @Pattern(Formats.SCIENTIFIC)
        @Size(min = 1, max = 23)
        String portTolerance,

        @JsonPropertyDescription("Pipeline stages of one replica in one pod of the fabric.")
        @Min(1)
        @Max(16384)
        @Nullable
        Integer stagesPerPod,

        @JsonPropertyDescription("Shape of the slice on a fabric of twisted tori.") @Nullable
        TorusShape torus,

        @JsonPropertyDescription("Seconds for choosing circuits; omitted: 10.") @Min(1) @Max(3600) @Nullable
        Integer timeLimitSeconds,

        @JsonPropertyDescription("Recorded traffic, as it was read when the slice was made.") @Nullable
        RecordedTraffic recorded) {

    /** Seconds for choosing circuits. */
    public int timeLimit() {
        return timeLimitSeconds == null ? ScaleOut.TIME_LIMIT_SECONDS : timeLimitSeconds;
    }
}
