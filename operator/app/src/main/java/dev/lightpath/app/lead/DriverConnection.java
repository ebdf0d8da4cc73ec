package dev.lightpath.app.lead;

import dev.lightpath.app.cluster.ClusterInformers;
import dev.lightpath.app.cluster.ShareOfCluster;
import dev.lightpath.app.driver.DriverFleet;
import dev.lightpath.app.driver.endpoint.DriverEndpoint;
import dev.lightpath.app.loop.PassMeter;
import dev.lightpath.app.loop.WorkPace;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.planner.light.DriverState;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the fleet connected to the drivers that the fabrics of this process name: as they are described, and with the
 * certificates of the moment. On the thread of the leadership, but for what says otherwise.
 */
final class DriverConnection {
    private static final Logger LOG = LoggerFactory.getLogger(DriverConnection.class);
    private static final Duration FIRST_CONTACT = Duration.ofSeconds(5);
    /** Where others wait for the rest of what a replica left. */
    private static final Duration FIRST_CONTACT_OF_SHARE = Duration.ofSeconds(2);

    private static final Duration POLL = Duration.ofMillis(50);
    /** Secrets are not watched: renewed certificates are noticed this late. */
    private static final Duration REFRESH = Duration.ofSeconds(60);

    private final DriverFleet fleet;
    private final PassMeter meter;
    private final DriverEndpoints endpoints;
    private final ClusterInformers cluster;
    private final Supplier<ShareOfCluster> led;
    private final LeadershipThread thread;
    private final AtomicBoolean pending = new AtomicBoolean();
    /** Not connected anew before. */
    private volatile long reconnectNanos = System.nanoTime();
    /** What the drivers were last connected by: see {@link ClusterInformers#description}. */
    private volatile long connected = -1;

    private boolean refreshing;

    /** @param led what this process leads now */
    DriverConnection(
            DriverFleet fleet,
            PassMeter meter,
            DriverEndpoints endpoints,
            ClusterInformers cluster,
            Supplier<ShareOfCluster> led,
            LeadershipThread thread) {
        this.fleet = fleet;
        this.meter = meter;
        this.endpoints = endpoints;
        this.cluster = cluster;
        this.led = led;
        this.thread = thread;
    }

    /** Whether fabrics are described otherwise than when the drivers were connected. From any thread. */
    boolean isStale() {
        return cluster.description() != connected;
    }

    /**
     * Connects soon, if that is still needed then. From any thread. Linear in nodes and slices: where many nodes change
     * one after the other it takes a fortieth of the time at most.
     */
    void reconnectSoon() {
        if (pending.compareAndSet(false, true)) {
            thread.later(this::reconnect, reconnectNanos - System.nanoTime());
        }
    }

    private void reconnect() {
        pending.set(false);
        if (isStale()) {
            long began = System.nanoTime();
            connect();
            reconnectNanos = WorkPace.next(began, System.nanoTime());
        }
    }

    void connect() {
        try {
            long description = cluster.description();
            List<DriverEndpoint> drivers = endpoints.of(
                    led.get().attended(),
                    led.get().switches(),
                    cluster.nodes(),
                    led.get().slices());
            fleet.connect(drivers);
            meter.certificates(expire(drivers));
            connected = description;
        } catch (RuntimeException | Error e) {
            connected = -1;
            LOG.atWarn().addKeyValue("failure", e.getMessage()).log("drivers not connected yet");
        }
    }

    private static SortedMap<String, Instant> expire(List<DriverEndpoint> drivers) {
        SortedMap<String, Instant> expire = new TreeMap<>();
        drivers.forEach(driver ->
                driver.tls().ifPresent(ours -> ours.expires().ifPresent(end -> expire.put(ours.source(), end))));
        return expire;
    }

    /** Again each minute from now on. */
    void refresh() {
        if (!refreshing) {
            refreshing = true;
            thread.repeat(this::connect, REFRESH, REFRESH);
        }
    }

    /**
     * Drivers are read before anything is decided, devices are not waited for.
     *
     * @param alone whether nobody else leads a part of the cluster
     * @param stopping whether to wait no longer
     */
    void awaitContact(boolean alone, BooleanSupplier stopping) {
        long deadline = System.nanoTime() + (alone ? FIRST_CONTACT : FIRST_CONTACT_OF_SHARE).toNanos();
        while (System.nanoTime() < deadline
                && !stopping.getAsBoolean()
                && fleet.states().values().stream().anyMatch(DriverConnection::isSilent)) {
            try {
                TimeUnit.MILLISECONDS.sleep(POLL.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static boolean isSilent(DriverState state) {
        return state.contact() == DriverState.Contact.UNREACHABLE;
    }

    /** The fabrics whose drivers are connected. */
    Collection<OpticalFabric> fabrics() {
        return led.get().attended();
    }

    /** Under which light of the fabric is held at its drivers. */
    String role(OpticalFabric fabric) {
        return endpoints.role(fabric);
    }
}
