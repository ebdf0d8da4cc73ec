package dev.lightpath.crds.job.measurement;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Who told an iteration time. */
public enum ToldBy {
    /** The annotation of the job. */
    @JsonProperty("Annotation")
    ANNOTATION,

    /** The query of its fabric. */
    @JsonProperty("Prometheus")
    PROMETHEUS
}
