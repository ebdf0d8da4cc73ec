package dev.lightpath.app.publish;

import dev.lightpath.app.access.Refused;
import dev.lightpath.app.cluster.ClusterInformers;
import dev.lightpath.app.conditions.EventWriter;
import dev.lightpath.app.publish.view.DeviceLights;
import dev.lightpath.app.publish.view.RenderedView;
import dev.lightpath.console.History;
import dev.lightpath.console.Look;
import dev.lightpath.console.Seen;
import dev.lightpath.console.Sight;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.reading.pod.PodAttribution;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What viewers of the console see: the planning loop's own watches and its last pass, looked at anew when something
 * changed and someone asks. A minute after the last viewer nothing is done and nothing is kept.
 */
@Singleton
public class ConsoleLooks {
    /** Changes within this time are one. */
    private static final long BURST_MILLIS = 100;

    private static final long PING_MILLIS = 10_000;
    /**
     * At least for so long after the last viewer what changed is kept: a page is read by several requests, and loaded
     * again.
     */
    private static final Duration KEPT = Duration.ofSeconds(30);

    private record Viewer(HttpServerResponse response, long ping, Runnable done) {}

    private final StatusPublisher publisher;
    private final Instance<ClusterInformers> watches;
    private final EventWriter events;
    private final Vertx vertx;
    private final List<Viewer> viewers = new CopyOnWriteArrayList<>();
    /** Kinds of things of whose changes viewers are not told yet. */
    private final Set<String> changed = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean scheduled = new AtomicBoolean();
    /** Whether something changed since the last look. */
    private final AtomicBoolean stale = new AtomicBoolean();

    private @Nullable Seen seen;
    private @Nullable History history;
    private DeviceLights lights = new DeviceLights();
    private boolean listening;
    /** When somebody asked or watched last, by {@link System#nanoTime}. */
    private long usedNanos;

    @Inject
    ConsoleLooks(StatusPublisher publisher, Instance<ClusterInformers> watches, EventWriter events, Vertx vertx) {
        this.publisher = publisher;
        this.watches = watches;
        this.events = events;
        this.vertx = vertx;
    }

    /**
     * What there is to see now. Linear in objects when something changed, else constant.
     *
     * @throws Refused 503 where no pass was made
     */
    synchronized Seen now() {
        // first of all: what changes from here on is for the next look
        boolean anew = stale.getAndSet(false);
        RenderedView view = publisher
                .view()
                .orElseThrow(() ->
                        new Refused(503, "this replica has not made a planning pass: ask the leader, or wait for it"));
        if (!listening) {
            listening = true;
            publisher.listen(() -> changed("light"));
            watches.get().listenForAll(this::changed);
        }
        usedNanos = System.nanoTime();
        History watched = history;
        if (watched == null) {
            watched = new History(Instant.now());
            history = watched;
            long unused = vertx.setPeriodic(KEPT.toMillis(), this::forget);
        }
        Seen last = seen;
        if (anew || last == null) {
            last = watched.add(look(view));
            seen = last;
        }
        return last;
    }

    /**
     * What there is to see now, when nobody asked for it of late; empty when somebody did, or where no pass was made.
     * So anybody may have it asked for, and it costs no more than one look in {@link #KEPT}.
     */
    synchronized Optional<Seen> first() {
        return history == null && publisher.view().isPresent() ? Optional.of(now()) : Optional.empty();
    }

    private synchronized void forget(long timer) {
        if (viewers.isEmpty() && System.nanoTime() - usedNanos >= KEPT.toNanos()) {
            boolean unused = vertx.cancelTimer(timer);
            history = null;
            seen = null;
            lights = new DeviceLights();
        }
    }

    private Look look(RenderedView view) {
        ClusterInformers all = watches.get();
        return new Look(
                Instant.now(),
                Optional.empty(),
                all.fabrics(),
                all.switches(),
                all.jobs(),
                all.slices(),
                all.nodes(),
                events.written(),
                view.light(lights),
                Sight.ALL);
    }

    /** Whose light the pods use that are known now. Linear in pods, slices and jobs of Kubernetes. */
    PodAttribution pods() {
        return watches.get().attributed();
    }

    /** The answers of DELTA that the last pass had, by digest. */
    SortedMap<String, TopologyAnswer> answers() {
        return publisher.view().map(RenderedView::answers).orElse(Collections.emptySortedMap());
    }

    /**
     * Tells a viewer what changes, until its connection is gone.
     *
     * @param done to be run then
     */
    synchronized void follow(RoutingContext request, Runnable done) {
        HttpServerResponse response = request.response();
        long ping = vertx.setPeriodic(PING_MILLIS, timer -> write(response, ": still here\n\n"));
        Viewer viewer = new Viewer(response, ping, done);
        viewers.add(viewer);
        int unused = request.addEndHandler(end -> leave(viewer));
        write(response, ": open\n\n");
    }

    private synchronized void leave(Viewer viewer) {
        if (viewers.remove(viewer)) {
            boolean unused = vertx.cancelTimer(viewer.ping());
            viewer.done().run();
        }
        usedNanos = System.nanoTime();
    }

    /** Of the watches' threads and of the planning loop's: waits for nobody who looks. */
    private void changed(String kind) {
        stale.set(true);
        if (viewers.isEmpty()) {
            return;
        }
        changed.add(kind);
        if (scheduled.compareAndSet(false, true)) {
            long unused = vertx.setTimer(
                    BURST_MILLIS,
                    timer -> vertx.executeBlocking(() -> {
                        tell();
                        return true;
                    }));
        }
    }

    private synchronized void tell() {
        scheduled.set(false);
        Set<String> what = new TreeSet<>(changed);
        changed.removeAll(what);
        if (what.isEmpty() || publisher.view().isEmpty()) {
            return;
        }
        Seen unused = now();
        String event = "event: changed\ndata: {\"what\":[\"" + String.join("\",\"", what) + "\"]}\n\n";
        viewers.forEach(viewer -> write(viewer.response(), event));
    }

    /** A viewer that does not read is let go; it comes back and reads everything anew. */
    private static void write(HttpServerResponse response, String event) {
        if (response.closed() || response.ended()) {
            return;
        }
        if (response.writeQueueFull()) {
            var unused = response.end();
        } else {
            var unused = response.write(event);
        }
    }
}
