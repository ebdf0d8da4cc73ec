package dev.lightpath.crds.fabric.policy;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** How much may fail at once before all automatic moves stop. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record MassFailurePolicy(
        @JsonPropertyDescription("Percent of the nodes (ocsTrx) or wired ports (ocs) of the fabric that fail at once.")
        @Default("20")
        @Min(1)
        @Max(100)
        Integer percent,

        @JsonPropertyDescription("What counts as at once, in seconds.") @Default("30") @Min(1) @Max(86400)
        Integer windowSeconds) {

    /** What the API server fills in where nothing is written. */
    public static final MassFailurePolicy DEFAULT = new MassFailurePolicy(20, 30);

    public MassFailurePolicy {
        percent = requireNonNullElse(percent, 20);
        windowSeconds = requireNonNullElse(windowSeconds, 30);
    }
}
