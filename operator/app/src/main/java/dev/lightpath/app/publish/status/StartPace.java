package dev.lightpath.app.publish.status;

import dev.lightpath.app.conditions.Conditions;
import dev.lightpath.app.conditions.StartDelay;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.slice.FabricSliceStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Delays the first conditions of a slice while its place is looked for, and while its light is made where no pods wait
 * to be told of the place. Then mostly one status says all. Once a delay is over it does not begin again, also if the
 * status could not be written. Serves one thread.
 */
final class StartPace {
    /** By slice of which nothing was told: since when there is something to tell. */
    private final Map<String, Instant> news = new HashMap<>();
    /** Slices whose status is to be written, however long that takes. */
    private final Set<String> over = new HashSet<>();

    /**
     * How long a status has to wait; empty when it is to be written now. A clock that jumps back causes no wait.
     *
     * @param slice its name
     * @param forPods whether pods are made once it has a place
     */
    Optional<Duration> wait(
            String slice, boolean forPods, FabricSliceStatus before, FabricSliceStatus after, Instant now) {
        boolean placed = Conditions.isTrue(after.conditions(), ConditionType.ALLOCATED);
        if (!before.conditions().isEmpty()) {
            news.remove(slice);
            over.remove(slice);
            return Optional.empty();
        }
        if (over.contains(slice)
                || after.preemptor() != null
                || after.outlook() != null
                || placed && forPods
                || !StartDelay.isUnderWay(after.conditions())) {
            return now(slice);
        }
        Instant since = news.computeIfAbsent(slice, _ -> now);
        Instant end = since.plus(StartDelay.of(news.size()));
        return now.isBefore(since) || !now.isBefore(end) ? now(slice) : Optional.of(Duration.between(now, end));
    }

    private Optional<Duration> now(String slice) {
        news.remove(slice);
        over.add(slice);
        return Optional.empty();
    }

    /** Forgets slices that are not there any more. */
    void keep(Predicate<String> there) {
        news.keySet().removeIf(there.negate());
        over.removeIf(there.negate());
    }
}
