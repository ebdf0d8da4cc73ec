package dev.lightpath.crds.fabric;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import org.jspecify.annotations.Nullable;

/** Labels that the operator writes on the Nodes of a fabric, for schedulers that place pods by topology. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record TopologyLabels(
        @JsonPropertyDescription("""
                Positions of one stretch of the ring or line: label lightpath.dev/topology-stretch. Only with ocsTrx; \
                omitted: no such label.\
                """) @Min(2) @Max(65536) @Nullable
        Integer stretchPositions) {}
