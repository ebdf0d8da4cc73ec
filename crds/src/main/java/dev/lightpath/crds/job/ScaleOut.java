package dev.lightpath.crds.job;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.lightpath.crds.Formats;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** Pipeline and data parallelism on optical circuit switches. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = "!has(self.torus) || !has(self.traffic)",
        message = "a torus does not follow the traffic: omit torus or traffic")
@ValidationRule(
        value = "!has(self.torus) || !has(self.stagesPerPod)",
        message = "a torus has no pods that stages are put into: omit torus or stagesPerPod")
public record ScaleOut(
        @JsonPropertyDescription("OpticalFabric to use. Fixed once the job is Placed. It must be one with ocs.")
        @Required
        @Pattern(Formats.LABEL_VALUE)
        @Size(min = 1, max = 63)
        String fabric,

        @JsonPropertyDescription(
                "How tasks share circuits when topologies are compared: Joint (critical path first) or Fair (max-min).")
        @Default("Joint")
        Rates rates,

        @JsonPropertyDescription(
                "Share of the iteration time that may be given up to save ports, a decimal as a string.")
        @Default("\"1e-9\"")
        @Pattern(Formats.SCIENTIFIC)
        @Size(min = 1, max = 23)
        String portTolerance,

        @JsonPropertyDescription(
                "Pipeline stages of one replica in one pod of the fabric; omitted: as many as the smallest one has GPUs for.")
        @Min(1)
        @Max(16384)
        @Nullable
        Integer stagesPerPod,

        @JsonPropertyDescription("Shape of the slice on a fabric of twisted tori.") @Nullable
        TorusShape torus,

        @JsonPropertyDescription("""
                Seconds for choosing circuits, at most policy.search.maxSeconds of the fabric; then the best known are \
                taken, and the prediction says how far they may be from the best.\
                """) @Default("10") @Min(1) @Max(3600)
        Integer timeLimitSeconds,

        @JsonPropertyDescription("Recorded traffic; omitted: what the model's shape lets expect.") @Nullable
        TrafficSource traffic) {

    /** Seconds for choosing circuits, unless a job says otherwise. */
    public static final int TIME_LIMIT_SECONDS = 10;

    public ScaleOut {
        rates = requireNonNullElse(rates, Rates.JOINT);
        portTolerance = requireNonNullElse(portTolerance, "1e-9");
        timeLimitSeconds = requireNonNullElse(timeLimitSeconds, TIME_LIMIT_SECONDS);
    }
}
