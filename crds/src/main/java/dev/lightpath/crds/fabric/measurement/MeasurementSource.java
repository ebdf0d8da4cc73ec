package dev.lightpath.crds.fabric.measurement;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;

/** Where measured iteration times of jobs are read. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record MeasurementSource(
        @JsonPropertyDescription("A query that a Prometheus answers for all jobs of the fabric together.") @Required
        PrometheusQuery prometheus) {}
