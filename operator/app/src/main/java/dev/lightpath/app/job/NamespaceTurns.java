package dev.lightpath.app.job;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Leaves threads of the reconciler to other namespaces: of one, no more than {@value #MOST} jobs are looked at at a
 * time, which also bounds the pod templates that are held at once. Jobs beyond them are called in the order in which
 * they came, those that have circuits before those that have none: what was begun is told of before more is begun.
 * Thread-safe; O(1) each.
 */
final class NamespaceTurns {
    /** Each holds one request at a time. Three keep two cores of the API server from being filled by one namespace. */
    static final int MOST = 3;

    /** One of so many calls goes to a job that has nothing yet, so that none waits for ever. */
    static final int BEGUN_FIRST = 4;

    /**
     * A job that waits is called. It also asks by itself, in case the one that was called before it is gone, but of all
     * that wait no more than five a second: whatever asks costs the reconciler a copy of its job.
     */
    private static final Duration LEAST_WAIT = Duration.ofSeconds(3);

    private static final Duration FOR_EACH_WAITING = Duration.ofMillis(200);

    /** Beyond that, those that were called first and did not ask count as gone. */
    private static final int MOST_CALLED = 100;

    private static final class Namespace {
        private int inside;
        private long calls;
        /** In order of arrival. */
        private final LinkedHashSet<ResourceID> begun = new LinkedHashSet<>();

        private final LinkedHashSet<ResourceID> fresh = new LinkedHashSet<>();
        /** Those that did not ask since they were called, the oldest first. One that is gone asks no more. */
        private final LinkedHashSet<ResourceID> called = new LinkedHashSet<>();

        void await(ResourceID job, boolean isBegun) {
            (isBegun ? fresh : begun).remove(job);
            (isBegun ? begun : fresh).add(job);
        }

        void remove(ResourceID job) {
            begun.remove(job);
            fresh.remove(job);
        }

        int waiting() {
            return begun.size() + fresh.size();
        }

        Optional<ResourceID> next() {
            if (inside >= MOST || waiting() == 0) {
                return Optional.empty();
            }
            calls++;
            boolean freshOne = begun.isEmpty() || !fresh.isEmpty() && calls % BEGUN_FIRST == 0;
            ResourceID next = (freshOne ? fresh : begun).removeFirst();
            called.add(next);
            if (called.size() > MOST_CALLED) {
                called.removeFirst();
            }
            return Optional.of(next);
        }
    }

    private final Map<String, Namespace> namespaces = new HashMap<>();
    private final Consumer<ResourceID> caller;

    /** @param caller is told of each job whose turn has come, from any thread */
    NamespaceTurns(Consumer<ResourceID> caller) {
        this.caller = caller;
    }

    /**
     * How long the job waits to be called, at the most; zero if it may be looked at now, and then {@link #leave}
     * follows. A place that is free is given to whoever asks.
     *
     * @param begun whether something was made for the job
     */
    synchronized Duration enter(ResourceID job, boolean begun) {
        Namespace now = namespaces.computeIfAbsent(namespace(job), of -> new Namespace());
        now.called.remove(job);
        if (now.inside >= MOST) {
            now.await(job, begun);
            return LEAST_WAIT.plus(FOR_EACH_WAITING.multipliedBy(now.waiting()));
        }
        now.remove(job);
        now.inside++;
        return Duration.ZERO;
    }

    void leave(ResourceID job) {
        left(job).ifPresent(caller);
    }

    /** The job has nothing to do now: if it was called, the next one is. */
    void decline(ResourceID job) {
        declined(job).ifPresent(caller);
    }

    private synchronized Optional<ResourceID> declined(ResourceID job) {
        @Nullable Namespace now = namespaces.get(namespace(job));
        if (now == null) {
            return Optional.empty();
        }
        now.remove(job);
        return now.called.remove(job) ? next(job, now) : Optional.empty();
    }

    private synchronized Optional<ResourceID> left(ResourceID job) {
        @Nullable Namespace now = namespaces.get(namespace(job));
        if (now == null || now.inside == 0) {
            throw new IllegalStateException("job " + job + " leaves and did not enter");
        }
        now.inside--;
        return next(job, now);
    }

    private Optional<ResourceID> next(ResourceID job, Namespace now) {
        Optional<ResourceID> next = now.next();
        if (now.inside == 0 && now.waiting() == 0) {
            namespaces.remove(namespace(job));
        }
        return next;
    }

    private static String namespace(ResourceID job) {
        return job.getNamespace().orElse("");
    }
}
