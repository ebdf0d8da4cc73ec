package dev.lightpath.app.conditions;

import dev.lightpath.app.Patches;
import dev.lightpath.crds.FieldManager;
import dev.lightpath.planner.words.Words;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes events: the same words about the same object are one that counts. What cannot be told is logged and not worth
 * a retry. Remembers the newest for those who look. From any thread; written one after the other on a thread of its
 * own, since nobody waits for an event. Warnings are written first.
 */
@Singleton
public final class EventWriter {
    private static final Logger LOG = LoggerFactory.getLogger(EventWriter.class);
    /** Events of cluster-scoped objects live there. */
    private static final String CLUSTER_NAMESPACE = "default";

    private static final int LONGEST_MESSAGE = 1024;
    /** Most of an object's name that is part of the event's, which the API server takes up to 253 characters. */
    private static final int LONGEST_NAME = 200;

    private static final int MOST_REMEMBERED = 1024;
    private static final PatchContext APPLY = Patches.apply(FieldManager.STATUS);

    private record Told(int count, Instant first) {}

    /**
     * An event that waits to be written.
     *
     * @param turn in the order in which events were told
     */
    private record Waiting(boolean warning, long turn, Runnable write) implements Runnable, Comparable<Waiting> {
        @Override
        public void run() {
            write.run();
        }

        @Override
        public int compareTo(Waiting other) {
            return warning == other.warning ? Long.compare(turn, other.turn) : warning ? -1 : 1;
        }
    }

    /** By namespace and name, the newest last. */
    private final Map<String, Event> written = new LinkedHashMap<>();

    /** More than these wait for no slow API server, and as many Warnings beyond. */
    private static final int MOST_WAITING = 16_384;

    /** While more come than these, the API server is left to the light that they tell of. */
    private static final int FEW_WAITING = 64;

    /** Those beyond are written at once, so that none is lost. */
    private static final int MANY_WAITING = MOST_WAITING / 4 * 3;

    private static final Duration BETWEEN_TWO = Duration.ofMillis(500);
    /** So long after the last one no more are taken to come: where jobs share passes, they come once a second. */
    private static final Duration COMING = Duration.ofSeconds(3);
    /** One that waits so long gives way no more. */
    private static final Duration OLD = Duration.ofMinutes(1);

    private final KubernetesClient client;
    private final InstantSource clock;
    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new PriorityBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("events").factory(),
            (event, of) -> LOG.atWarn().log("an event is not written: the operator ends"));
    private final AtomicLong turns = new AtomicLong();
    private final ConcurrentMap<String, Told> told = new ConcurrentHashMap<>();
    private volatile long toldNanos = System.nanoTime();

    @Inject
    EventWriter(KubernetesClient client) {
        this(client, InstantSource.system());
    }

    public EventWriter(KubernetesClient client, InstantSource clock) {
        this.client = client;
        this.clock = clock;
    }

    public void tell(HasMetadata about, ObjectEvent happening) {
        ObjectMeta metadata = about.getMetadata();
        @Nullable String home = metadata.getNamespace();
        String namespace = home == null ? CLUSTER_NAMESPACE : home;
        String name = name(about, happening);
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        if (told.size() > MOST_REMEMBERED) {
            told.clear();
        }
        Told times = told.merge(
                namespace + "/" + name, new Told(1, now), (known, one) -> new Told(known.count() + 1, known.first()));
        Event event = new EventBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .endMetadata()
                .withNewInvolvedObject()
                .withApiVersion(about.getApiVersion())
                .withKind(about.getKind())
                .withName(metadata.getName())
                .withNamespace(home)
                .withUid(metadata.getUid())
                .endInvolvedObject()
                .withType(happening.warning() ? "Warning" : "Normal")
                .withReason(happening.reason().word())
                .withMessage(Words.shortened(happening.message(), LONGEST_MESSAGE))
                .withCount(times.count())
                .withFirstTimestamp(times.first().toString())
                .withLastTimestamp(now.toString())
                .withReportingComponent("lightpath.dev/operator")
                .withNewSource()
                .withComponent("lightpath-operator")
                .endSource()
                .build();
        toldNanos = System.nanoTime();
        if (thread.getQueue().size() >= (happening.warning() ? 2 : 1) * MOST_WAITING) {
            LOG.atWarn().log("an event is not written: too many wait");
            return;
        }
        long since = System.nanoTime();
        thread.execute(new Waiting(happening.warning(), turns.incrementAndGet(), () -> {
            if (!happening.warning()) {
                giveWay(since);
            }
            write(event);
        }));
    }

    private void giveWay(long since) {
        long now = System.nanoTime();
        Duration pause =
                pause(thread.getQueue().size(), Duration.ofNanos(now - toldNanos), Duration.ofNanos(now - since));
        if (pause.isZero() || thread.isShutdown()) {
            return;
        }
        try {
            Thread.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * How long the next event gives way. A thousand jobs that start together have five thousand events.
     *
     * @param waiting how many events wait
     * @param quiet how long ago the last one was told
     * @param age how long ago this one was told
     */
    static Duration pause(int waiting, Duration quiet, Duration age) {
        return waiting > FEW_WAITING && waiting < MANY_WAITING && quiet.compareTo(COMING) < 0 && age.compareTo(OLD) < 0
                ? BETWEEN_TWO
                : Duration.ZERO;
    }

    private void write(Event event) {
        try {
            remember(
                    event.getCount() == 1
                            ? created(event)
                            : client.resource(event).patch(APPLY));
        } catch (KubernetesClientException e) {
            LOG.atWarn()
                    .addKeyValue("event", event.getMetadata().getName())
                    .addKeyValue("message", event.getMessage())
                    .log("an event could not be written: " + e.getMessage());
        }
    }

    /** Most events are told once: to create one is less work for the API server than to apply it. */
    private Event created(Event event) {
        try {
            return client.resource(event).create();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
            // of an earlier process, or of this one some time ago
            return client.resource(event).patch(APPLY);
        }
    }

    /** What waits is written, Warnings first, unless the API server does not answer or it is very much. */
    @PreDestroy
    void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(1, TimeUnit.SECONDS)) {
                LOG.atWarn()
                        .addKeyValue("events", thread.shutdownNow().size())
                        .log("events are not written: the operator ends");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void remember(Event event) {
        String key =
                event.getMetadata().getNamespace() + "/" + event.getMetadata().getName();
        synchronized (written) {
            written.remove(key);
            written.put(key, event);
            if (written.size() > MOST_REMEMBERED) {
                written.remove(written.keySet().iterator().next());
            }
        }
    }

    /** Events that this process wrote and the API server took, the newest last. */
    public List<Event> written() {
        synchronized (written) {
            return List.copyOf(written.values());
        }
    }

    /**
     * Events of one second are listed by their names. Those that one status tells are told in the order of a job's
     * life, so the reason's place in it comes first.
     */
    static String name(HasMetadata about, ObjectEvent happening) {
        String name = about.getMetadata().getName();
        String words = about.getKind()
                + about.getMetadata().getUid()
                + happening.reason().word()
                + happening.message();
        return Words.cut(name, LONGEST_NAME)
                + String.format(".%02x%08x", happening.reason().ordinal(), words.hashCode());
    }
}
