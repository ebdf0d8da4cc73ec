package dev.lightpath.crds.fabric.policy;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How much of a fabric the jobs of one namespace may hold. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record QuotaPolicy(
        @JsonPropertyDescription("""
                GPUs that the jobs of a namespace may hold together; omitted: any number. Placed jobs keep their \
                place when this is lowered.\
                """) @Min(0) @Max(16777216) @Nullable
        Integer gpusPerNamespace,

        @JsonPropertyDescription("Jobs of a namespace that may hold circuits; omitted: any number.")
        @Min(0)
        @Max(1048576)
        @Nullable
        Integer jobsPerNamespace,

        @JsonPropertyDescription(
                "Namespaces with bounds of their own; a bound that is omitted there is the general one.")
        @Size(max = 4096)
        List<NamespaceQuota> namespaces) {

    public QuotaPolicy {
        namespaces = List.copyOf(requireNonNullElse(namespaces, List.of()));
    }
}
