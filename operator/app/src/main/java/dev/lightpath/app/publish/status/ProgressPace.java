package dev.lightpath.app.publish.status;

import dev.lightpath.app.conditions.Conditions;
import dev.lightpath.crds.job.PlacementSummary;
import dev.lightpath.crds.slice.FabricSliceStatus;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Limits how often the progress of a slice is written. Hundreds of devices answer within a second, and each status of a
 * large slice costs the API server as much as the change itself. The count of spare nodes, which a fault elsewhere
 * changes, is written once it has lasted: otherwise every job within reach would have two statuses for each repair.
 * Serves one thread.
 */
final class ProgressPace {
    static final Duration PACE = Duration.ofMillis(500);

    static final Duration SPARES_LAST = Duration.ofSeconds(5);

    private final Map<String, Instant> told = new HashMap<>();
    /** Since when nothing but its count of spare nodes is to be told, by slice. */
    private final Map<String, Instant> spares = new HashMap<>();

    /**
     * How long a status has to wait; empty when it is to be written now. A clock that jumps back causes no wait.
     *
     * @param slice its name
     */
    Optional<Duration> wait(String slice, FabricSliceStatus before, FabricSliceStatus after, Instant now) {
        if (differInSparesAlone(before, after)) {
            Instant since = spares.computeIfAbsent(slice, of -> now);
            if (now.isBefore(since) || !now.isBefore(since.plus(SPARES_LAST))) {
                spares.remove(slice);
                return Optional.empty();
            }
            return Optional.of(Duration.between(now, since.plus(SPARES_LAST)));
        }
        spares.remove(slice);
        Instant last = told.get(slice);
        if (!isProgress(before, after) || last == null || now.isBefore(last) || !now.isBefore(last.plus(PACE))) {
            told.put(slice, now);
            return Optional.empty();
        }
        return Optional.of(Duration.between(now, last.plus(PACE)));
    }

    /** There is nothing to tell of the slice. */
    void said(String slice) {
        spares.remove(slice);
    }

    /** Forgets slices that are not there any more. */
    void keep(Predicate<String> there) {
        told.keySet().removeIf(slice -> !there.test(slice));
        spares.keySet().removeIf(slice -> !there.test(slice));
    }

    private static boolean differInSparesAlone(FabricSliceStatus before, FabricSliceStatus after) {
        return Objects.equals(before.observedGeneration(), after.observedGeneration())
                && Objects.equals(before.programmed(), after.programmed())
                && before.outlook() == after.outlook()
                && Objects.equals(before.preemptor(), after.preemptor())
                && Objects.equals(before.observedRevision(), after.observedRevision())
                && Conditions.contained(after.conditions(), before.conditions())
                && !Objects.equals(before.placement(), after.placement())
                && Objects.equals(withoutSpares(before.placement()), withoutSpares(after.placement()));
    }

    private static @Nullable PlacementSummary withoutSpares(@Nullable PlacementSummary placement) {
        return placement == null ? null : new PlacementSummary(placement.groups(), placement.crossTorRatio(), null);
    }

    /**
     * Whether no condition turns: counts, messages and reasons alone differ. Pods wait for the word of a later record.
     */
    private static boolean isProgress(FabricSliceStatus before, FabricSliceStatus after) {
        return Objects.equals(before.observedGeneration(), after.observedGeneration())
                && Objects.equals(withoutSpares(before.placement()), withoutSpares(after.placement()))
                && before.outlook() == after.outlook()
                && Objects.equals(before.preemptor(), after.preemptor())
                && Objects.equals(before.observedRevision(), after.observedRevision())
                && (before.programmed() == null) == (after.programmed() == null)
                && after.conditions().stream()
                        .allMatch(condition ->
                                before.conditions().stream().anyMatch(same -> standsAlike(same, condition)));
    }

    private static boolean standsAlike(Condition before, Condition after) {
        return Objects.equals(before.getType(), after.getType())
                && Objects.equals(before.getStatus(), after.getStatus());
    }
}
