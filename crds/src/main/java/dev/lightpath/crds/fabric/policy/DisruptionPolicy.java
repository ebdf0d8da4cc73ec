package dev.lightpath.crds.fabric.policy;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** How many circuits may be dark at one time. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record DisruptionPolicy(
        @JsonPropertyDescription("""
                Percent of the lit circuits of the fabric, loopbacks included, that may be dark at one time; at \
                least one stage. Circuits without running pods do not count. On a ring it also bounds one \
                rearrangement for another job under running pods: the percent of the groups of jobs that may move, \
                at least one group, over all its steps. A group that moves twice counts twice.\
                """) @Default("25") @Min(1) @Max(100)
        Integer maxConcurrentPercent) {

    /** What the API server fills in where nothing is written. */
    public static final DisruptionPolicy DEFAULT = new DisruptionPolicy(25);

    public DisruptionPolicy {
        maxConcurrentPercent = requireNonNullElse(maxConcurrentPercent, 25);
    }
}
