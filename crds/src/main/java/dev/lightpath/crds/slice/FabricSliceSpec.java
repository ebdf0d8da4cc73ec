package dev.lightpath.crds.slice;

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
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** What one attempt of a job requests of one fabric. It never changes. */
@JsonClassDescription("What one attempt of a job requests of one fabric. It never changes.")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = "self == oldSelf",
        message = "the spec of a FabricSlice cannot be changed: a new demand is a new attempt with slices of its own")
@ValidationRule(
        value = "has(self.job) || has(self.demand.topology)",
        message = "write job, or demand.topology for the static topology of a fabric")
public record FabricSliceSpec(
        @JsonPropertyDescription("OpticalFabric that the slice is cut from.")
        @Required
        @Pattern(Formats.LABEL_VALUE)
        @Size(min = 1, max = 63)
        String fabric,

        @JsonPropertyDescription("The attempt of a job that requests it; omitted for the static topology of a fabric.")
        @Nullable
        JobReference job,

        @JsonPropertyDescription("Number of this part of a slice that is too large for one object, from 0.")
        @Default("0")
        @Min(0)
        @Max(63)
        Integer part,

        @JsonPropertyDescription("What is wanted.") @Required
        Demand demand) {

    public FabricSliceSpec {
        part = requireNonNullElse(part, 0);
    }
}
