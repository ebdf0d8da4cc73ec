package dev.lightpath.app.publish.status;

import dev.lightpath.crds.fabric.CircuitCounts;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.crds.slice.FabricSliceStatus;
import dev.lightpath.reading.AdmissionPolicies;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An API server whose definitions are older than this operator takes a status and drops the fields that it does not
 * know. Such a field is no reason to write again and again: it is said once, and tried again now and then until the
 * definitions are there. Serves one thread.
 */
public final class OldDefinitions {
    private static final Logger LOG = LoggerFactory.getLogger(OldDefinitions.class);

    /** How often it is tried whether the API server knows the field by now. */
    public static final Duration RETRY = Duration.ofMinutes(1);

    private Optional<Instant> dropped = Optional.empty();
    private Optional<Instant> namesDropped = Optional.empty();

    /** What of a status can be told now. */
    FabricSliceStatus tellable(FabricSliceStatus status, @Nullable FabricSliceStatus before, Instant now) {
        boolean kept = before != null && before.observedRevision() != null;
        return kept || wait(now).isEmpty() ? status : status.withoutObservedRevision();
    }

    /**
     * How long to wait before the next attempt; empty if nothing was dropped, or it is time. A clock that jumps back
     * causes no wait.
     */
    public Optional<Duration> wait(Instant now) {
        return wait(dropped, now);
    }

    private static Optional<Duration> wait(Optional<Instant> dropped, Instant now) {
        return dropped.filter(at -> !now.isBefore(at) && now.isBefore(at.plus(RETRY)))
                .map(at -> Duration.between(now, at.plus(RETRY)));
    }

    /** The same for the names of foreign circuits. */
    OpticalFabricStatus tellable(OpticalFabricStatus status, @Nullable OpticalFabricStatus before, Instant now) {
        boolean kept = before != null && names(before);
        return kept || !names(status) || waitForNames(now).isEmpty() ? status : status.withoutForeignCircuits();
    }

    Optional<Duration> waitForNames(Instant now) {
        return wait(namesDropped, now);
    }

    private static boolean names(OpticalFabricStatus status) {
        CircuitCounts circuits = status.circuits();
        return circuits != null && !circuits.foreignCircuits().isEmpty();
    }

    /** @param answer what the API server made of it */
    void wrote(OpticalFabricStatus sent, @Nullable OpticalFabricStatus answer, Instant now) {
        if (names(sent)) {
            namesDropped = answer != null && names(answer) ? Optional.empty() : Optional.of(now);
        }
    }

    /** @param answer what the API server made of it */
    void wrote(FabricSliceStatus sent, @Nullable FabricSliceStatus answer, Instant now) {
        if (sent.observedRevision() == null) {
            return;
        }
        if (answer != null && answer.observedRevision() != null) {
            dropped = Optional.empty();
            return;
        }
        if (dropped.isEmpty()) {
            LOG.warn(
                    "the API server drops status.observedRevision of FabricSlices, as its resource definitions are older than this"
                            + " operator; no pod is let go to its node before they are replaced: {}",
                    AdmissionPolicies.APPLY);
        }
        dropped = Optional.of(now);
    }
}
