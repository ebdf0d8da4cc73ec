package dev.lightpath.app.job;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Leaves threads of the reconciler to other namespaces: of one, no more than {@value #MOST} jobs are looked at at a time, which also
 * bounds the pod templates that are held at once. Jobs beyond them are called in the order in which they came. Thread-safe; O(1) each.
 */
final class NamespaceTurns {
    /** Each holds one request at a time. Three keep two cores of the API server from being filled by one namespace. */
    static final int MOST = 3;

    /**
     * A job that waits is called. It also asks by itself, in case the one that was called before it is gone, but of all
     * that wait no more than twenty a second: whatever asks costs the reconciler a copy of its job.
     */
    private static final Duration LEAST_WAIT = Duration.ofSeconds(3);

    private static final Duration FOR_EACH_WAITING = Duration.ofMillis(50);

    /** @param waiting in order of arrival */
    private record Namespace(int inside, LinkedHashSet<ResourceID> waiting) {}

    private final Map<String, Namespace> namespaces = new HashMap<>();
    private final Consumer<ResourceID> caller;

    /** @param caller is told of each job whose turn has come, from any thread */
    NamespaceTurns(Consumer<ResourceID> caller) {
        this.caller = caller;
    }

    /**
     * How long the job waits to be called, at the most; zero if it may be looked at now, and then {@link #leave} follows.
     * A place that is free is given to whoever asks.
     */
    synchronized Duration enter(ResourceID job) {
        Namespace now = namespaces.computeIfAbsent(namespace(job), of -> new Namespace(0, new LinkedHashSet<>()));
        if (now.inside() >= MOST) {
            now.waiting().add(job);
            return LEAST_WAIT.plus(FOR_EACH_WAITING.multipliedBy(now.waiting().size()));
        }
        now.waiting().remove(job);
        namespaces.put(namespace(job), new Namespace(now.inside() + 1, now.waiting()));
        return Duration.ZERO;
    }

    void leave(ResourceID job) {
        left(job).ifPresent(caller);
    }

    private synchronized Optional<ResourceID> left(ResourceID job) {
        Namespace now = namespaces.get(namespace(job));
        if (now == null || now.inside() == 0) {
            throw new IllegalStateException("job " + job + " leaves and did not enter");
        }
        Optional<ResourceID> next = now.waiting().isEmpty()
                ? Optional.empty()
                : Optional.of(now.waiting().removeFirst());
        if (now.inside() == 1 && now.waiting().isEmpty()) {
            namespaces.remove(namespace(job));
        } else {
            namespaces.put(namespace(job), new Namespace(now.inside() - 1, now.waiting()));
        }
        return next;
    }

    private static String namespace(ResourceID job) {
        return job.getNamespace().orElse("");
    }
}
