package dev.lightpath.app.job;

import dev.lightpath.reading.TemplateSize;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * How soon jobs with large pod templates may be read and written. Each such request costs the API server and all who
 * watch jobs as much as its template is large, so of one namespace {@value #BYTES_A_SECOND} bytes a second are, after
 * {@value #AT_ONCE} at once. Templates of the usual size do not count. Jobs of a namespace are served in the order in
 * which they first asked. Thread-safe; O(jobs of the namespace that wait).
 */
final class TemplatePace {
    static final int BYTES_A_SECOND = 32 * 1024;
    static final int AT_ONCE = 1024 * 1024;

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    /** A job that does not come so long after it was to come is forgotten: it has nothing to ask any more. */
    private static final long PATIENCE = Duration.ofSeconds(10).toNanos();
    /** Those before it may be gone meanwhile, so a job asks again. */
    static final Duration LONGEST = Duration.ofMinutes(1);

    /** @param due when it is to ask again */
    private record Waiting(int size, long due) {}

    private static final class Namespace {
        private final LinkedHashMap<ResourceID, Waiting> waiting = new LinkedHashMap<>();
        /** What may be served now; below 0 after a large one. */
        private long credit = AT_ONCE;

        private long asOf;

        private Namespace(long now) {
            asOf = now;
        }

        private void refill(long now) {
            long earned = Math.min(AT_ONCE - credit, (now - asOf) * BYTES_A_SECOND / SECOND);
            credit += earned;
            asOf = credit == AT_ONCE ? now : asOf + earned * SECOND / BYTES_A_SECOND;
        }
    }

    private final Map<String, Namespace> namespaces = new HashMap<>();

    /**
     * How long a job is to wait before it asks again; zero if it may be read or written once.
     *
     * @param size of its template, {@link TemplateSize}
     * @param now nanoseconds, monotonic
     * @param exists whether a job of the same namespace is still there
     */
    synchronized Duration ask(ResourceID job, int size, long now, Predicate<ResourceID> exists) {
        if (size <= TemplateSize.USUAL) {
            return Duration.ZERO;
        }
        namespaces.values().removeIf(namespace -> {
            namespace.refill(now);
            return namespace.waiting.isEmpty() && namespace.credit == AT_ONCE;
        });
        Namespace namespace = namespaces.computeIfAbsent(job.getNamespace().orElse(""), name -> new Namespace(now));
        namespace.waiting.putIfAbsent(job, new Waiting(size, now));
        namespace
                .waiting
                .entrySet()
                .removeIf(each -> !each.getKey().equals(job)
                        && (each.getValue().due() < now - PATIENCE || !exists.test(each.getKey())));
        long before = 0;
        for (var each : namespace.waiting.entrySet()) {
            if (each.getKey().equals(job)) {
                break;
            }
            before += each.getValue().size();
        }
        if (before == 0 && namespace.credit > 0) {
            namespace.waiting.remove(job);
            namespace.credit -= size;
            return Duration.ZERO;
        }
        // one byte more than what is owed
        long left =
                Math.min(LONGEST.toNanos(), Math.max(1, before - namespace.credit + 1) * SECOND / BYTES_A_SECOND + 1);
        namespace.waiting.put(job, new Waiting(size, now + left));
        return Duration.ofNanos(left);
    }
}
