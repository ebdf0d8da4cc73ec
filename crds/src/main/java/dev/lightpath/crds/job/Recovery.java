package dev.lightpath.crds.job;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** What happens when a node of the job fails. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = "!has(self.afterSeconds) || self.afterSeconds == 0"
                + " || has(self.replace) && self.replace == 'AfterSeconds'",
        message = "afterSeconds is the time of replace: AfterSeconds; write that, or omit afterSeconds")
public record Recovery(
        @JsonPropertyDescription("""
                When a failed node is replaced: Immediately, WithWorkload (when its pods end too), AfterSeconds or \
                Never; omitted: Immediately without a workload, else WithWorkload.\
                """) @Nullable Replacement replace,

        @JsonPropertyDescription("Time in seconds for replace: AfterSeconds.") @Default("0") @Min(0) @Max(604800)
        Integer afterSeconds,

        @JsonPropertyDescription("""
                Time in seconds that generated pods tolerate a node that is not ready or unreachable. Read when \
                their JobSet is made.\
                """) @Default("30") @Min(0) @Max(604800)
        Integer evictionSeconds,

        @JsonPropertyDescription("""
                true: pods of the generated JobSet that hang on a node of unknown state are deleted by force once \
                their circuits are taken down, or cannot be.\
                """) @Default("true") Boolean forceDelete) {

    /** What the API server fills in where nothing is written. */
    public static final Recovery DEFAULT = new Recovery(null, 0, 30, true);

    public Recovery {
        afterSeconds = requireNonNullElse(afterSeconds, 0);
        evictionSeconds = requireNonNullElse(evictionSeconds, 30);
        forceDelete = requireNonNullElse(forceDelete, true);
    }
}
