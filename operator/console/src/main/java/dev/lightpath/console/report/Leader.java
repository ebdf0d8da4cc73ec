package dev.lightpath.console.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.lightpath.crds.LightpathNames;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether an operator cares for the fabrics now, as its Lease tells. Statuses do not: they stay as the last one wrote
 * them.
 *
 * @param namespace where the operator is looked for
 * @param holder identity in the Lease
 * @param renewed when it was last renewed, RFC 3339
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Leader(
        String namespace,
        boolean leads,
        @Nullable String holder,
        @Nullable String renewed) {
    /** A leader renews every few seconds; the rest is for clocks that differ. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    public static Leader of(String namespace, @Nullable Lease lease, Instant now) {
        LeaseSpec spec = lease == null ? null : lease.getSpec();
        String holder = spec == null ? null : spec.getHolderIdentity();
        ZonedDateTime renewed = spec == null ? null : spec.getRenewTime();
        boolean leads = holder != null
                && !holder.isEmpty()
                && renewed != null
                && now.isBefore(renewed.toInstant().plus(PATIENCE));
        return new Leader(
                namespace,
                leads,
                holder,
                renewed == null
                        ? null
                        : renewed.toInstant().truncatedTo(ChronoUnit.SECONDS).toString());
    }

    /** What a person has to know before reading statuses; empty while an operator leads. */
    public Optional<String> warning() {
        if (leads) {
            return Optional.empty();
        }
        return Optional.of(
                renewed == null
                        ? "nobody leads: there is no renewed Lease " + LightpathNames.LEASE + " in namespace "
                                + namespace + " (--operator-namespace names another)"
                        : "nobody leads: the Lease was last renewed at " + renewed
                                + "; what follows is what was known then, and nothing is repaired or placed");
    }
}
