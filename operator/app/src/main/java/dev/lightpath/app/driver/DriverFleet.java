package dev.lightpath.app.driver;

import dev.lightpath.app.driver.endpoint.DriverEndpoint;
import dev.lightpath.planner.light.ChangeOutcome;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.tracing.TraceScope;
import dev.lightpath.tracing.Tracing;
import io.opentelemetry.context.Context;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All driver servers the operator deals with: keeps one stream to each, shows what is known of them at any moment, and
 * starts changes whose outcomes come back through the {@link FleetListener}. No method waits for a driver; all may be
 * called from any thread.
 *
 * <p>A driver that cannot be reached keeps its last known devices, and nothing is sent to it until its stream is synced
 * again: read first, then program.
 */
public final class DriverFleet implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DriverFleet.class);

    private final FleetSurroundings surroundings;
    private final FleetSurroundings agentSurroundings;
    /** By {@link DriverEndpoint#key}. */
    private final ConcurrentSkipListMap<String, DriverLink> links = new ConcurrentSkipListMap<>();
    /** The drivers that are many, by the template of their addresses. */
    private final ConcurrentSkipListMap<String, Agents> templates = new ConcurrentSkipListMap<>();

    private final CopyOnWriteArrayList<FleetListener> listeners = new CopyOnWriteArrayList<>();

    /** A fleet that does not know which epochs are those of its own installation, and traces nothing. */
    public DriverFleet(LongSupplier epoch, FleetTimings timings, InstantSource clock, RandomGenerator random) {
        this(epoch, () -> EpochBook.NONE, timings, clock, random, Tracing.silent());
    }

    /**
     * @param epoch the fencing epoch held now, 0 when not leading. A driver that reports a higher one is shown as
     *     {@link DriverState.Contact#STALE_EPOCH}, and a stage of any other epoch is refused here
     * @param book by which epochs that drivers report are judged: {@link DriverState#strange}
     * @param clock tells when events were received
     * @param random spreads attempts to reconnect
     * @param tracing follows each change to its driver
     */
    public DriverFleet(
            LongSupplier epoch,
            Supplier<EpochBook> book,
            FleetTimings timings,
            InstantSource clock,
            RandomGenerator random,
            Tracing tracing) {
        this.surroundings = new FleetSurroundings(epoch, book, timings, clock, random, tracing);
        this.agentSurroundings = surroundings.timed(timings.ofAgents());
    }

    /** Adds a listener. Before the first {@link #connect}, or it misses what happened. */
    public void listen(FleetListener listener) {
        listeners.add(listener);
    }

    /**
     * Makes these the drivers to stay in touch with: opens what is new, closes what is gone, reconnects what has other
     * TLS material, leaves the others alone. Endpoints of one address are taken as one with the roles of all: whoever
     * calls has seen to it that they have the same TLS material.
     */
    public synchronized void connect(Collection<DriverEndpoint> endpoints) {
        SortedMap<String, DriverEndpoint> wanted = new TreeMap<>();
        new TreeSet<>(endpoints).forEach(endpoint -> wanted.merge(endpoint.key(), endpoint, DriverEndpoint::joined));
        for (String key : new ArrayList<>(links.keySet())) {
            if (!wanted.containsKey(key)) {
                close(key);
            }
        }
        wanted.forEach((key, endpoint) -> {
            DriverLink link = links.get(key);
            if (link != null && !link.endpoint().address().equals(endpoint.address())) {
                close(key);
                link = null;
            }
            if (link == null) {
                open(key, endpoint);
            } else {
                link.serve(endpoint);
            }
        });
        templates.values().removeIf(Agents::isEmpty);
    }

    private void open(String key, DriverEndpoint endpoint) {
        boolean ofNode = endpoint.node().isPresent();
        DriverLink opened = new DriverLink(endpoint, ofNode ? agentSurroundings : surroundings, this::tellChanged);
        links.put(key, opened);
        endpoint.node().ifPresent(node -> agents(endpoint.driver()).put(node, opened));
        if (ofNode) {
            // ten thousand take seconds
            agentSurroundings.callbacks().execute(opened::open);
        } else {
            opened.open();
        }
    }

    private Agents agents(String template) {
        return templates.computeIfAbsent(template, unseen -> {
            Agents agents = new Agents();
            surroundings.after(Agents.FIRST_CALLS, () -> {
                agents.waitNoLonger();
                tellChanged(new FleetChange(
                        template,
                        Optional.empty(),
                        FleetChange.Kind.CONTACT,
                        surroundings.clock().instant()));
            });
            return agents;
        });
    }

    private void close(String key) {
        DriverLink gone = links.remove(key);
        if (gone != null) {
            gone.node().ifPresent(node -> agents(gone.endpoint().driver()).remove(node));
            gone.close();
        }
    }

    /**
     * What is known now, by endpoint; the agents of a template are one driver. Immutable. Costs a constant for each
     * driver or agent without news, and one linear copy of the devices of each driver with news.
     */
    public SortedMap<String, DriverState> states() {
        SortedMap<String, DriverState> states = new TreeMap<>();
        links.forEach((key, link) -> {
            if (link.node().isEmpty()) {
                states.put(key, link.state());
            }
        });
        templates.forEach((template, agents) -> states.put(template, agents.state()));
        return Collections.unmodifiableSortedMap(states);
    }

    /**
     * Sends the changes of a stage to their devices, all at once, and returns before the first is sent. Each outcome is
     * told by {@link FleetListener#answered} as soon as it is known, in the trace that is current now. Time-outs and
     * lost connections are resolved with the driver first.
     *
     * @param holder under which the stage's epoch was given: {@link EpochBook#holder}
     */
    public void start(Stage stage, String holder) {
        long startedNanos = System.nanoTime();
        Context context = Context.current();
        surroundings.callbacks().execute(TraceScope.wrap(context, () -> {
            for (DeviceChange change : stage.changes()) {
                var unused = attempt(stage, change, holder).thenAccept(outcome -> {
                    try (TraceScope scope = TraceScope.of(context)) {
                        answered(stage, change.device(), outcome, startedNanos);
                    }
                });
            }
        }));
    }

    private void answered(Stage stage, DeviceId device, ChangeOutcome outcome, long startedNanos) {
        Duration elapsed = Duration.ofNanos(System.nanoTime() - startedNanos);
        tell(listener -> listener.answered(stage.id(), device, outcome, elapsed));
    }

    /** A change that cannot even be sent keeps nothing from the other devices of its stage. */
    private CompletableFuture<ChangeOutcome> attempt(Stage stage, DeviceChange change, String holder) {
        CompletableFuture<ChangeOutcome> outcome;
        try {
            outcome = apply(stage, change, holder);
        } catch (RuntimeException bug) {
            outcome = CompletableFuture.failedFuture(bug);
        }
        return outcome.exceptionally(bug -> {
            LOG.atError().setCause(bug).addKeyValue("device", change.device()).log("a change was not sent");
            return new ChangeOutcome.Indeterminate("the change may not have been sent: " + bug);
        });
    }

    private CompletableFuture<ChangeOutcome> apply(Stage stage, DeviceChange change, String holder) {
        DriverLink link = link(change.device());
        if (link == null) {
            return refused(
                    ChangeOutcome.Reason.NO_SUCH_DEVICE,
                    "no driver at " + change.device().driver() + " is connected");
        }
        long epoch = surroundings.epoch().getAsLong();
        if (stage.id().epoch() != epoch) {
            return refused(
                    ChangeOutcome.Reason.STALE_EPOCH,
                    "stage " + stage.id() + " was planned under epoch "
                            + stage.id().epoch() + ", held now is " + epoch);
        }
        return link.calls().apply(stage, change, holder);
    }

    /** That of the device: a driver, or the agent of its node. */
    private @Nullable DriverLink link(DeviceId device) {
        Agents agents = templates.get(device.driver());
        return agents == null ? links.get(device.driver()) : agents.of(device.device());
    }

    private static CompletableFuture<ChangeOutcome> refused(ChangeOutcome.Reason reason, String text) {
        return CompletableFuture.completedFuture(new ChangeOutcome.Rejected(reason, text, Optional.empty()));
    }

    /**
     * Reads the devices' circuits from their hardware and returns; {@link FleetListener#observed} is called once, when
     * {@link #states()} shows what was read.
     */
    public void observe(SortedSet<DeviceId> devices) {
        Map<Optional<DriverLink>, SortedSet<DeviceId>> byDriver = new LinkedHashMap<>();
        devices.forEach(device -> byDriver.computeIfAbsent(Optional.ofNullable(link(device)), link -> new TreeSet<>())
                .add(device));
        List<CompletableFuture<Reading>> parts = new ArrayList<>();
        byDriver.forEach((link, asked) -> parts.add(attempt(link, asked)));
        var unused = CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
                .thenRunAsync(
                        () -> {
                            Reading whole =
                                    parts.stream().map(CompletableFuture::join).reduce(Reading.none(), Reading::and);
                            tell(listener -> listener.observed(whole));
                        },
                        surroundings.callbacks());
    }

    private CompletableFuture<Reading> attempt(Optional<DriverLink> link, SortedSet<DeviceId> devices) {
        CompletableFuture<Reading> reading;
        try {
            reading = link.map(to -> to.calls().read(names(devices)))
                    .orElseGet(
                            () -> CompletableFuture.completedFuture(failed(devices, "no driver there is connected")));
        } catch (RuntimeException bug) {
            reading = CompletableFuture.failedFuture(bug);
        }
        return reading.exceptionally(bug -> {
            LOG.atError().setCause(bug).addKeyValue("devices", devices).log("devices were not read");
            return failed(devices, "not read: " + bug);
        });
    }

    private static SortedSet<String> names(SortedSet<DeviceId> devices) {
        SortedSet<String> names = new TreeSet<>();
        devices.forEach(device -> names.add(device.device()));
        return names;
    }

    private static Reading failed(SortedSet<DeviceId> devices, String why) {
        SortedMap<DeviceId, String> unread = new TreeMap<>();
        devices.forEach(device -> unread.put(device, why));
        return new Reading(new TreeSet<>(), unread);
    }

    private void tellChanged(FleetChange change) {
        tell(listener -> listener.changed(change));
    }

    /** A listener that fails keeps nothing from the others, and no stream from being read on. */
    private void tell(Consumer<FleetListener> what) {
        for (FleetListener listener : listeners) {
            try {
                what.accept(listener);
            } catch (RuntimeException bug) {
                LOG.atError().setCause(bug).addKeyValue("listener", listener).log("listener of the fleet failed");
            }
        }
    }

    /**
     * Closes all connections. Light stays as it is; stages and readings that are under way are not reported any more.
     */
    @Override
    public synchronized void close() {
        links.values().forEach(DriverLink::close);
        links.clear();
        templates.clear();
        surroundings.close();
    }
}
