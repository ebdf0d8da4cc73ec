package dev.lightpath.crds.job.agreement;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.lightpath.crds.Formats;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** Where the process of rank 0 listens for announcements. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record AgreementHook(
        @JsonPropertyDescription("""
                Port of the pod of rank 0, at the address of the pod. The fabric whose light moves has to allow it \
                (policy.agreementHooks). A pod with hostNetwork is not asked.\
                """) @Required @Min(1024) @Max(65535)
        int port,

        @JsonPropertyDescription("Path of the request.")
        @Default("/")
        @Pattern(Formats.URL_PATH)
        @Size(min = 1, max = 128)
        String path) {

    public AgreementHook {
        path = requireNonNullElse(path, "/");
    }
}
