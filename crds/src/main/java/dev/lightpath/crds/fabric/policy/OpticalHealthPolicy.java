package dev.lightpath.crds.fabric.policy;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.lightpath.crds.Formats;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;

/** When the light of a port counts as getting worse. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record OpticalHealthPolicy(
        @JsonPropertyDescription("""
                What is done about a port whose light gets worse. Observe: it is told. TakeOut: it also becomes a \
                fault (Degrading) before it fails, if its circuits find a place on other ports. Ports of a TwistedTorus \
                are only told.\
                """) @Default("Observe") OpticalHealthMode mode,

        @JsonPropertyDescription("""
                A port gets worse if its light lost so much since soon after its circuit was made, in dB, and its \
                peers did not; a decimal as a string. 0: not judged.\
                """) @Default("2.0") @Pattern(Formats.DECIMAL) @Size(min = 1, max = 19)
        String lossAboveBaselineDb,

        @JsonPropertyDescription("The same, if it loses so much with each day, in dB. 0: not judged.")
        @Default("0.1")
        @Pattern(Formats.DECIMAL)
        @Size(min = 1, max = 19)
        String driftDbPerDay,

        @JsonPropertyDescription("The same, if a larger share of bits is wrong before error correction. 0: not judged.")
        @Default("1.0E-4")
        @Pattern(Formats.SCIENTIFIC)
        @Size(min = 1, max = 19)
        String preFecBitErrorRatio) {

    /** What the API server fills in where nothing is written. */
    public static final OpticalHealthPolicy DEFAULT =
            new OpticalHealthPolicy(OpticalHealthMode.OBSERVE, "2.0", "0.1", "1.0E-4");

    public OpticalHealthPolicy {
        mode = requireNonNullElse(mode, OpticalHealthMode.OBSERVE);
        lossAboveBaselineDb = requireNonNullElse(lossAboveBaselineDb, "2.0");
        driftDbPerDay = requireNonNullElse(driftDbPerDay, "0.1");
        preFecBitErrorRatio = requireNonNullElse(preFecBitErrorRatio, "1.0E-4");
    }
}
