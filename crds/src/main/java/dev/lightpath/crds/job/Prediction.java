package dev.lightpath.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import java.math.BigDecimal;
import java.math.MathContext;
import org.jspecify.annotations.Nullable;

/** The planner's prediction for a topology. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Prediction(
        @JsonPropertyDescription("Time of one iteration in seconds, a decimal as a string.") @Size(max = 32) @Nullable
        String iterationSeconds,

        @JsonPropertyDescription("Time in seconds that no topology within the ports can beat, a decimal as a string.")
        @Size(max = 32)
        @Nullable
        String lowerBoundSeconds,

        @JsonPropertyDescription(
                "Communication time over that of unlimited circuits, 1 at best, a decimal as a string.")
        @Size(max = 32)
        @Nullable
        String normalizedCommunicationTime,

        @JsonPropertyDescription("Ports in use.") @Min(0) @Nullable
        Integer ports,

        @JsonPropertyDescription("Ports that the job has in its pods of the fabric.") @Min(0) @Nullable
        Integer portBudget,

        @JsonPropertyDescription("Whether the topology is proved to be the best.") @Nullable
        Boolean proved,

        @JsonPropertyDescription("""
                Shortest time of one iteration in seconds that this attempt ever had circuits for, a decimal as a \
                string. The difference to iterationSeconds is lost to faults or to other jobs.\
                """) @Size(max = 32) @Nullable
        String bestSeconds) {

    /** For circuits that are as good as they ever were. */
    public Prediction(
            @Nullable String iterationSeconds,
            @Nullable String lowerBoundSeconds,
            @Nullable String normalizedCommunicationTime,
            @Nullable Integer ports,
            @Nullable Integer portBudget,
            @Nullable Boolean proved) {
        this(
                iterationSeconds,
                lowerBoundSeconds,
                normalizedCommunicationTime,
                ports,
                portBudget,
                proved,
                iterationSeconds);
    }

    /**
     * With twelve significant digits of each decimal, where that is shorter. Records keep all, because circuits are
     * compared by them. What is no decimal stays: somebody changed the record, and its reader says so.
     */
    public Prediction rounded() {
        return new Prediction(
                rounded(iterationSeconds),
                rounded(lowerBoundSeconds),
                rounded(normalizedCommunicationTime),
                ports,
                portBudget,
                proved,
                rounded(bestSeconds));
    }

    private static @Nullable String rounded(@Nullable String decimal) {
        if (decimal == null) {
            return null;
        }
        try {
            BigDecimal exact = new BigDecimal(decimal);
            BigDecimal rounded = exact.round(new MathContext(12));
            String plain = rounded.stripTrailingZeros().toPlainString();
            return rounded.equals(exact) || plain.length() >= decimal.length() ? decimal : plain;
        } catch (NumberFormatException e) {
            return decimal;
        }
    }
}
