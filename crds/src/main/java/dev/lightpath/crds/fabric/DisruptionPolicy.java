package dev.lightpath.crds.fabric;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** How much light may be dark at one time. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record DisruptionPolicy(
        @JsonPropertyDescription(
                "Percent of the lit circuits of the fabric, loopbacks included, that may be dark at one time; at least one stage. Light without running pods does not count. Of a ring it is also the percent of the groups of jobs that may move which one rearrangement for another job moves under running pods: at least one, all its steps together, a group that moves twice counted twice.")
        @Default("25")
        @Min(1)
        @Max(100)
        Integer maxConcurrentPercent) {

    /** What the API server fills in where nothing is written. */
    public static final DisruptionPolicy DEFAULT = new DisruptionPolicy(25);

    public DisruptionPolicy {
        maxConcurrentPercent = requireNonNullElse(maxConcurrentPercent, 25);
    }
}
