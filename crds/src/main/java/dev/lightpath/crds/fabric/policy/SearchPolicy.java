package dev.lightpath.crds.fabric.policy;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** How long circuits are searched for: searches of all jobs share the processors of one operator. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record SearchPolicy(
        @JsonPropertyDescription(
                "Seconds of one search for the circuits of a job at most, whatever scaleOut.timeLimitSeconds it asks for.")
        @Default("60")
        @Min(1)
        @Max(3600)
        Integer maxSeconds) {

    /** What the API server fills in where nothing is written. */
    public static final SearchPolicy DEFAULT = new SearchPolicy(60);

    public SearchPolicy {
        maxSeconds = requireNonNullElse(maxSeconds, 60);
    }
}
