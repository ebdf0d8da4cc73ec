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

/** When light is good enough to train on. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record QualificationPolicy(
        @JsonPropertyDescription("""
                Percent of the links of a stage that must pass before the next stage may take down circuits in use. It \
                waits for a link-up time (10 s) at most. A slice is Qualified only when each of its own links passes.\
                """) @Default("90") @Min(1) @Max(100)
        Integer minimumPassPercent,

        @JsonPropertyDescription("""
                Insertion loss in dB above which a link fails, a decimal as a string. It judges only devices that \
                measure their loss; links of others do not fail so.\
                """) @Default("3.0") @Pattern(Formats.DECIMAL) @Size(min = 1, max = 19)
        String maximumLossDb) {

    /** What the API server fills in where nothing is written. */
    public static final QualificationPolicy DEFAULT = new QualificationPolicy(90, "3.0");

    public QualificationPolicy {
        minimumPassPercent = requireNonNullElse(minimumPassPercent, 90);
        maximumLossDb = requireNonNullElse(maximumLossDb, "3.0");
    }
}
