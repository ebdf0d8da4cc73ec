package dev.lightpath.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.lightpath.crds.Formats;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** Recorded traffic of an iteration, instead of the traffic that follows from the model's shape. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record TrafficSource(
        @JsonPropertyDescription("""
                ConfigMap in the job's namespace. AICB: its one key is the workload file. Chakra: keys \
                PREFIX.RANK.et or .et.gz (binaryData), one for each rank, and optionally comm_group.json. It is \
                read when the job requests circuits; a placed job keeps what was read.\
                """) @Required @Pattern(Formats.OBJECT_NAME) @Size(min = 1, max = 253)
        String configMap,

        @JsonPropertyDescription(
                "How it was recorded: AICB (a SimAI workload file) or Chakra (MLCommons execution traces).")
        @Required
        TrafficFormat format) {}
