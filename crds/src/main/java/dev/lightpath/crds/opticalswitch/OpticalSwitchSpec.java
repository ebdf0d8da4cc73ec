package dev.lightpath.crds.opticalswitch;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.lightpath.crds.Formats;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which device it is and how the pods of its fabric are wired to it. */
@JsonClassDescription("Which device it is and how the pods of its fabric are wired to it.")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record OpticalSwitchSpec(
        @JsonPropertyDescription("OpticalFabric whose pods are wired to the switch.")
        @Required
        @Pattern(Formats.LABEL_VALUE)
        @Size(min = 1, max = 63)
        String fabric,

        @JsonPropertyDescription("The driver and the device behind it.") @Required
        SwitchDriver driver,

        @JsonPropertyDescription("""
                What the switch shares with others of its fabric. The operator changes switches of two domains of one kind one \
                after the other, so each domain that is written makes large changes take longer. Repairs that darken no \
                light in use do not wait. Switches of other fabrics do not count.\
                """) @Nullable FailureDomains domains,

        @JsonPropertyDescription("Which port of which pod ends on which port of the switch.") @Required
        Wiring wiring,

        @JsonPropertyDescription("Labels of spare ports, planned only as replacements.") @Size(max = 4096)
        List<@Pattern(Formats.PORT) @Size(min = 1, max = 63) String> reservedPorts,

        @JsonPropertyDescription("""
                Number of the switch in its fabric, unique there. twistedTorus: 16*axis + 4*r + s, 0..47; \
                polarFly: the plane.\
                """) @Min(0) @Max(1023) @Nullable
        Integer plane,

        @JsonPropertyDescription(
                "true: no new circuit on this switch, and its circuits move away as the policy of the fabric allows.")
        @Default("false")
        Boolean drained) {

    public OpticalSwitchSpec {
        reservedPorts = List.copyOf(requireNonNullElse(reservedPorts, List.of()));
        drained = requireNonNullElse(drained, false);
    }
}
