package dev.lightpath.crds.job;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;

/**
 * The priority of a job by its PriorityClass, read once: a class that changes later changes no job that named it
 * before.
 */
@JsonClassDescription("The priority of a job by its PriorityClass, as it was when the job first named it.")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ClassPriority(
        @JsonPropertyDescription("The PriorityClass that was read.") @Required
        String className,

        @JsonPropertyDescription("Its value: higher goes first when capacity is short.") @Required
        Integer value,

        @JsonPropertyDescription("Whether the job may take the place of others: its preemptionPolicy is not Never.")
        @Required
        Boolean preempts) {}
