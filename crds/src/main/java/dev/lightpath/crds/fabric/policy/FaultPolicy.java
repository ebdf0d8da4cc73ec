package dev.lightpath.crds.fabric.policy;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.lightpath.crds.Formats;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** What counts as a fault, and for how long. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record FaultPolicy(
        @JsonPropertyDescription("Time in milliseconds that a signal of a device must last to be a fault.")
        @Default("200")
        @Min(0)
        @Max(3600000)
        Integer holdMillis,

        @JsonPropertyDescription("Time in seconds of health after which a fault is over.")
        @Default("30")
        @Min(0)
        @Max(86400)
        Integer clearSeconds,

        @JsonPropertyDescription("Node conditions that are a fault when True.")
        @Default(FaultPolicy.NODE_CONDITIONS_JSON)
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Size(max = 64)
        List<@Pattern(Formats.CONDITION_TYPE) @Size(min = 1, max = 316) String> nodeConditions) {

    /**
     * Node conditions of node-problem-detector and NVSentinel that mean a fault, unless the fabric names others:
     * {@link #NODE_CONDITIONS} as JSON.
     */
    public static final String NODE_CONDITIONS_JSON = """
            ["GpuMemWatch", "GpuNvlinkWatch", "NVSwitchDown", "SysLogsXIDError", "InfiniBandStateCheck", \
            "EthernetStateCheck", "IBLinkFlapping", "CperHardwareErrorFatal"]""";

    /** Node conditions that mean a fault, unless the fabric names others. */
    public static final List<String> NODE_CONDITIONS = List.of(
            "GpuMemWatch",
            "GpuNvlinkWatch",
            "NVSwitchDown",
            "SysLogsXIDError",
            "InfiniBandStateCheck",
            "EthernetStateCheck",
            "IBLinkFlapping",
            "CperHardwareErrorFatal");

    /** What the API server fills in where nothing is written. */
    public static final FaultPolicy DEFAULT = new FaultPolicy(200, 30, FaultPolicy.NODE_CONDITIONS);

    public FaultPolicy {
        holdMillis = requireNonNullElse(holdMillis, 200);
        clearSeconds = requireNonNullElse(clearSeconds, 30);
        nodeConditions = List.copyOf(requireNonNullElse(nodeConditions, NODE_CONDITIONS));
    }
}
