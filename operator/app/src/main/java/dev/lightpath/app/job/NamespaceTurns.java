package dev.lightpath.app.job;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
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

    /** @param waiting in order of arrival */
    private record Namespace(int inside, LinkedHashSet<ResourceID> waiting) {}

    private final Map<String, Namespace> namespaces = new HashMap<>();
    private final Consumer<ResourceID> caller;

    /** @param caller is told of each job whose turn has come, from any thread */
    NamespaceTurns(Consumer<ResourceID> caller) {
        this.caller = caller;
    }

    /** Whether the job may be looked at now; then {@link #leave} follows. It is called later otherwise. */
    synchronized boolean enter(ResourceID job) {
        Namespace now = namespaces.computeIfAbsent(namespace(job), of -> new Namespace(0, new LinkedHashSet<>()));
        if (now.inside() >= MOST) {
            now.waiting().add(job);
            return false;
        }
        now.waiting().remove(job);
        namespaces.put(namespace(job), new Namespace(now.inside() + 1, now.waiting()));
        return true;
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
