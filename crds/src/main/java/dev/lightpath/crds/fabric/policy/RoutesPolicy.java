package dev.lightpath.crds.fabric.policy;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;

/** How the packet layer follows circuits. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record RoutesPolicy(
        @JsonPropertyDescription("""
                Whether pods wait for routes. None: they wait for circuits alone. Required: they also wait until a router \
                has written the revision of each slice of the job into its annotation lightpath.dev/routed-revision \
                (condition Routed).\
                """) @Default("None") RouteAcknowledgement acknowledgement) {

    /** What the API server fills in where nothing is written. */
    public static final RoutesPolicy DEFAULT = new RoutesPolicy(RouteAcknowledgement.NONE);

    public RoutesPolicy {
        acknowledgement = requireNonNullElse(acknowledgement, RouteAcknowledgement.NONE);
    }
}
