package dev.lightpath.crds.job;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;

/** The job that took the place of this one. */
@JsonClassDescription("The job that took the place of this one.")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Preempted(
        @JsonPropertyDescription("""
                Namespace and name of the job of higher priority, as namespace/name; `another namespace` if it is not in the \
                namespace of this job.\
                """) @Required String by,

        @JsonPropertyDescription("Placement of this job that was given up, from 1.") @Required @Min(1)
        Integer attempt) {
    /** {@code by} of a job in another namespace, which is not named. */
    public static final String BY_ANOTHER_NAMESPACE = "another namespace";
}
