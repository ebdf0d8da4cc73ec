package dev.lightpath.crds.fabric;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** How light fares that is not lost. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record OpticalHealthStatus(
        @JsonPropertyDescription(
                "Ports whose light is measured. Told anew when it has changed by a tenth, and by more than two.")
        @Min(0)
        int watchedPorts,

        @JsonPropertyDescription("""
                Of these, ports whose light gets worse (policy.opticalHealth). A switch that gets worse as a whole counts \
                as one.\
                """) @Min(0) int degradingPorts,

        @JsonPropertyDescription("Ports that were taken out for that; each is among the faults.") @Min(0)
        int takenOutPorts,

        @JsonPropertyDescription("Ports whose light gets worse, and switches that do as a whole; at most 16.")
        @Size(max = OpticalHealthStatus.MOST_NAMED)
        List<DegradingPort> ports) {

    /** Most ports by name. */
    public static final int MOST_NAMED = 16;

    public OpticalHealthStatus {
        ports = List.copyOf(requireNonNullElse(ports, List.of()));
    }
}
