package dev.lightpath.app.publish;

import dev.lightpath.crds.slice.FabricSliceStatus;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * How often it is told that the light of a slice has come a little further: hundreds of devices answer within a second, and
 * each status of a large slice costs the API server as much as the change itself. Serves one thread.
 */
final class ProgressPace {
    static final Duration PACE = Duration.ofMillis(500);

    private final Map<String, Instant> told = new HashMap<>();

    /**
     * How long a status has to wait; empty when it is to be told now. A clock that jumps back makes nobody wait.
     *
     * @param slice its name
     */
    Optional<Duration> wait(String slice, FabricSliceStatus before, FabricSliceStatus after, Instant now) {
        if (!isProgress(before, after)) {
            told.remove(slice);
            return Optional.empty();
        }
        Instant last = told.get(slice);
        if (last == null || now.isBefore(last) || !now.isBefore(last.plus(PACE))) {
            told.put(slice, now);
            return Optional.empty();
        }
        return Optional.of(Duration.between(now, last.plus(PACE)));
    }

    /** Forgets slices that are not there any more. */
    void keep(Predicate<String> there) {
        told.keySet().removeIf(slice -> !there.test(slice));
    }

    /** Whether counts and messages alone differ. */
    private static boolean isProgress(FabricSliceStatus before, FabricSliceStatus after) {
        return Objects.equals(before.observedGeneration(), after.observedGeneration())
                && Objects.equals(before.placement(), after.placement())
                && before.outlook() == after.outlook()
                && (before.programmed() == null) == (after.programmed() == null)
                && after.conditions().stream()
                        .allMatch(
                                condition -> before.conditions().stream().anyMatch(same -> saysAlike(same, condition)));
    }

    private static boolean saysAlike(Condition before, Condition after) {
        return Objects.equals(before.getType(), after.getType())
                && Objects.equals(before.getStatus(), after.getStatus())
                && Objects.equals(before.getReason(), after.getReason());
    }
}
