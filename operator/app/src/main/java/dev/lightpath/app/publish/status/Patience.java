package dev.lightpath.app.publish.status;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Backoff for objects that could not be written: longer each time, separate for each object. A clock that jumps back
 * causes no wait. Serves one thread.
 */
final class Patience {
    private static final Duration FIRST_WAIT = Duration.ofMillis(500);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
    /** Wait before a retry if the API server did not answer. */
    static final Duration UNANSWERED = Duration.ofSeconds(2);

    private record Wait(Instant since, Duration length) {
        boolean over(Instant now) {
            return now.isBefore(since) || !now.isBefore(since.plus(length));
        }

        Duration left(Instant now) {
            return over(now) ? Duration.ZERO : Duration.between(now, since.plus(length));
        }
    }

    private final Map<String, Wait> waits = new HashMap<>();

    /** Whether its last write failed. */
    boolean tried(String object) {
        return waits.containsKey(object);
    }

    /** Whether it is not yet to be tried again. */
    boolean holds(String object, Instant now) {
        Wait wait = waits.get(object);
        return wait != null && !wait.over(now);
    }

    void failed(String object, Instant now) {
        waits.merge(object, new Wait(now, FIRST_WAIT), (before, first) -> {
            Duration longer = before.length().multipliedBy(2);
            return new Wait(now, longer.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : longer);
        });
    }

    /** The API server did not answer. That says little about the object, which comes last when all are tried again. */
    void unanswered(String object, Instant now) {
        waits.put(object, new Wait(now, UNANSWERED));
    }

    void succeeded(String object) {
        waits.remove(object);
    }

    /** Those that are not there any more need no patience. */
    void keep(Collection<String> objects) {
        waits.keySet().retainAll(objects);
    }

    /** Until the first is to be tried again; empty when nothing failed. */
    Optional<Duration> next(Instant now) {
        return waits.values().stream().map(wait -> wait.left(now)).min(Duration::compareTo);
    }
}
