package dev.lightpath.crds.job.measurement;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a job told of its iterations, beside what was predicted. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Measurement(
        @JsonPropertyDescription("""
                Median of what was told with the circuits that the job has now, in seconds, a decimal as a string. \
                Omitted until something was told with them.\
                """) @Size(max = 32) @Nullable
        String iterationSeconds,

        @JsonPropertyDescription("""
                iterationSeconds over that of status.prediction, a decimal as a string: 1.2 means 20 % longer than \
                predicted.\
                """) @Size(max = 32) @Nullable
        String ratio,

        @JsonPropertyDescription("What was learnt from measurements; omitted until there are enough.") @Nullable
        LearntSpeeds learnt,

        @JsonPropertyDescription("Why no more was learnt so far; omitted where both speeds are known.")
        @Size(max = 512)
        @Nullable
        String lacks,

        @JsonPropertyDescription("Digest of the iteration that was measured: of another one all this is dropped.")
        @Size(max = 64)
        @Nullable
        String of,

        @JsonPropertyDescription("The last value that was read, so that none counts twice.") @Size(max = 64) @Nullable
        String told,

        @JsonPropertyDescription("""
                Who told that value: Annotation, the job itself (lightpath.dev/iteration-seconds), or Prometheus, the \
                query of its fabric (spec.measurements.prometheus).\
                """) @Nullable ToldBy toldBy,

        @JsonPropertyDescription("What was measured with which circuits, those that the job has now first.")
        @Size(max = MOST_SETS)
        List<MeasuredCircuits> circuits) {
    public static final int MOST_SETS = 4;

    public Measurement {
        circuits = List.copyOf(requireNonNullElse(circuits, List.of()));
    }
}
