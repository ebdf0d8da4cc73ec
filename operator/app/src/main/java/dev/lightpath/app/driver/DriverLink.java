package dev.lightpath.app.driver;

import dev.lightpath.app.driver.endpoint.Channels;
import dev.lightpath.app.driver.endpoint.DriverEndpoint;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.DriverState.Contact;
import dev.lightpath.planner.light.EpochMark;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.GetDriverInfoRequest;
import dev.lightpath.proto.driver.v1alpha1.GetDriverInfoResponse;
import dev.lightpath.proto.driver.v1alpha1.IdentityServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.InventoryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.TelemetryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The connection to one driver server: greets it, compares contracts, watches all its devices, and starts over whenever
 * the stream ends, falls silent or shows that something was lost. Attempts are spread by a growing wait.
 */
final class DriverLink implements WatchStream.Reader {
    static final String CONTRACT = "lightpath.driver.v1alpha1";
    private static final Logger LOG = LoggerFactory.getLogger(DriverLink.class);
    /** A driver whose devices come back again and again never seems to have made up for what was lost. */
    private static final int SETTLES_AT_MOST = 5;

    private final FleetSurroundings surroundings;
    private final Consumer<FleetChange> changed;
    private final DriverView view;
    private final DriverCalls calls;
    private final InventoryReading inventories;
    private final Optional<String> node;
    private DriverEndpoint endpoint;
    private @Nullable ManagedChannel channel;
    private @Nullable WatchStream stream;
    private int attempt;
    private int dial;
    /** When the first message was missed that nothing has made up for. */
    private long gapSinceNanos;
    /** When the stream last missed a message or told of a whole device: it may be making up for what was lost. */
    private long gapAtNanos;

    private boolean gap;
    private boolean closed;
    private volatile boolean called;

    DriverLink(DriverEndpoint endpoint, FleetSurroundings surroundings, Consumer<FleetChange> changed) {
        this.endpoint = endpoint;
        this.node = endpoint.node();
        this.surroundings = surroundings;
        this.changed = changed;
        this.view = new DriverView(endpoint.roles(), node);
        view.speak(endpoint.tls().isEmpty());
        this.calls = new DriverCalls(endpoint, this, view, surroundings);
        this.inventories = new InventoryReading(endpoint.address(), this, view, surroundings);
    }

    DriverState state() {
        return view.state(surroundings.epoch().getAsLong(), surroundings.book().get());
    }

    /** Whose agent it leads to; empty where one driver serves many. */
    Optional<String> node() {
        return node;
    }

    /** Whom it leads to. */
    synchronized DriverEndpoint endpoint() {
        return endpoint;
    }

    /** Whether it has answered, or did not answer a call. */
    boolean called() {
        return called;
    }

    /** What can be asked of the driver. */
    DriverCalls calls() {
        return calls;
    }

    synchronized void open() {
        if (closed) {
            return;
        }
        try {
            channel = surroundings.channels().open(endpoint, surroundings.callbacks());
            greet(++dial);
        } catch (Channels.UnusableEndpoint unusable) {
            channel = null;
            lose(unusable.contact(), unusable.why());
        }
    }

    synchronized void serve(DriverEndpoint next) {
        boolean sameTls = endpoint.tls().equals(next.tls());
        boolean sameRoles = endpoint.roles().equals(next.roles());
        endpoint = next;
        view.serve(next.roles());
        view.speak(next.tls().isEmpty());
        if (!sameTls) {
            hangUp();
            attempt = 0;
            lose(Contact.UNREACHABLE, "connecting again with other TLS material");
            open();
        } else if (!sameRoles && node.isPresent()) {
            // nothing was kept of roles that were not served
            relist("it serves other roles");
        }
    }

    synchronized void close() {
        closed = true;
        hangUp();
    }

    private void hangUp() {
        dial++;
        if (stream != null) {
            stream.cancel();
            stream = null;
        }
        if (channel != null) {
            channel.shutdownNow();
            channel = null;
        }
    }

    private void greet(int number) {
        ManagedChannel via = channel;
        if (via == null) {
            return;
        }
        surroundings.dials().run(over -> {
            if (!isCurrent(number)) {
                over.run();
                return;
            }
            via.resetConnectBackoff();
            var unused = Unary.<GetDriverInfoResponse>ask(answer -> IdentityServiceGrpc.newStub(via)
                            .withDeadlineAfter(surroundings.timings().ask().toNanos(), TimeUnit.NANOSECONDS)
                            .getDriverInfo(GetDriverInfoRequest.getDefaultInstance(), answer))
                    .whenComplete((info, failure) -> {
                        over.run();
                        if (info != null) {
                            greeted(number, info);
                        } else if (failure != null) {
                            notGreeted(number, failure);
                        }
                    });
        });
    }

    private synchronized boolean isCurrent(int number) {
        return number == dial;
    }

    private synchronized void greeted(int number, GetDriverInfoResponse info) {
        ManagedChannel via = channel;
        if (number != dial || via == null) {
            return;
        }
        view.met(info);
        if (!info.getContractVersionsList().contains(CONTRACT)) {
            lose(
                    Contact.CONTRACT_MISMATCH,
                    "driver " + info.getName() + " " + info.getVersion() + " speaks " + info.getContractVersionsList()
                            + ", needed is " + CONTRACT);
            again(surroundings.timings().lastRetry());
            return;
        }
        WatchStream opened = new WatchStream(this, info.getBootId());
        stream = opened;
        gap = false;
        view.lost(Contact.UNREACHABLE, "listing its devices");
        view.list();
        TelemetryServiceGrpc.newStub(via)
                .watch(WatchStream.everything(surroundings.timings().heartbeat()), opened);
        listenForPulse(opened);
        recheck(opened);
    }

    /** A transfer between roles is no event of the stream. */
    private void recheck(WatchStream watched) {
        surroundings.after(surroundings.timings().recheck(), () -> {
            synchronized (this) {
                if (stream != watched) {
                    return;
                }
                recheck(watched);
            }
            SortedSet<String> foreign = view.foreign();
            if (!foreign.isEmpty()) {
                var unused = calls.read(foreign);
            }
        });
    }

    private synchronized void notGreeted(int number, Throwable failure) {
        if (number != dial) {
            return;
        }
        CallFailure read = CallFailure.of(failure);
        lose(read);
        if (read.status().getCode() == Status.Code.DEADLINE_EXCEEDED) {
            hangUp();
            redial();
        } else {
            again(surroundings.backoff(attempt++));
        }
    }

    private void again(Duration wait) {
        int number = ++dial;
        surroundings.after(wait, () -> {
            synchronized (this) {
                if (number == dial && !closed) {
                    greet(++dial);
                }
            }
        });
    }

    private void listenForPulse(WatchStream watched) {
        surroundings.after(surroundings.timings().heartbeat(), () -> {
            synchronized (this) {
                if (stream != watched) {
                    return;
                }
                if (watched.silence().compareTo(surroundings.timings().silence()) > 0) {
                    hangUp();
                    lose(
                            Contact.UNREACHABLE,
                            "nothing heard for " + watched.silence().toSeconds() + " s");
                    redial();
                } else if (gap && isListingDue()) {
                    relist("messages of the stream were lost");
                } else {
                    listenForPulse(watched);
                }
            }
        });
    }

    private boolean isListingDue() {
        long now = System.nanoTime();
        long settle = surroundings.timings().settle().toNanos();
        return now - gapAtNanos > settle || now - gapSinceNanos > SETTLES_AT_MOST * settle;
    }

    /** A connection may be half open: one on which nobody answers is not waited for, but made anew. */
    private void redial() {
        try {
            channel = surroundings.channels().open(endpoint, surroundings.callbacks());
            again(surroundings.backoff(attempt++));
        } catch (Channels.UnusableEndpoint unusable) {
            lose(unusable.contact(), unusable.why());
        }
    }

    /** Gives the stream up and lists all devices again; nothing more when that is about to be done. */
    synchronized void relist(String why) {
        if (closed || channel == null || stream == null) {
            return;
        }
        stream.cancel();
        stream = null;
        lose(Contact.UNREACHABLE, "listing its devices again: " + why);
        again(surroundings.backoff(attempt++));
    }

    @Override
    public void heard(WatchStream from, WatchResponse message) {
        DriverView.Heard heard;
        synchronized (this) {
            if (from != stream) {
                return;
            }
            boolean synced = message.hasSynced();
            if (synced) {
                attempt = 0;
                gap = false;
                // of node agents there are thousands
                LOG.atLevel(node.isPresent() ? Level.DEBUG : Level.INFO)
                        .addKeyValue("driver", endpoint.address())
                        .addKeyValue("devices", message.getSynced().getDeviceCount())
                        .log("driver has listed its devices");
            } else if (message.hasSnapshot()) {
                gapAtNanos = System.nanoTime();
            }
            heard = view.hear(message);
            called |= view.synced();
            if (synced && !view.synced()) {
                awaitFirstReads(from);
            }
            if (heard.lost()) {
                relist("circuits of " + heard.device().orElse("a device") + " are not those of their digest");
            }
        }
        heard.reached().forEach(wait -> wait.complete(null));
        heard.kind().ifPresent(kind -> tell(kind, heard.device()));
        if (message.hasSynced() || message.hasSnapshot() || message.hasInventoryChanged()) {
            inventories.refresh();
        }
    }

    private void awaitFirstReads(WatchStream listed) {
        surroundings.after(surroundings.timings().settle(), () -> {
            boolean news;
            synchronized (this) {
                news = stream == listed && view.syncAsListed();
                called |= news;
            }
            if (news) {
                tell(FleetChange.Kind.CONTACT, Optional.empty());
            }
        });
    }

    @Override
    public void missed(WatchStream from, long messages) {
        synchronized (this) {
            if (from != stream) {
                return;
            }
            gapAtNanos = System.nanoTime();
            if (!gap) {
                gap = true;
                gapSinceNanos = gapAtNanos;
            }
            lose(Contact.UNREACHABLE, messages + " messages of the stream were lost");
        }
    }

    @Override
    public void ended(WatchStream from, Throwable why) {
        synchronized (this) {
            if (from != stream) {
                return;
            }
            from.cancel();
            stream = null;
            CallFailure failure = CallFailure.of(why);
            if (why instanceof IllegalStateException) {
                lose(failure.contact(), String.valueOf(why.getMessage()));
            } else {
                lose(failure);
            }
            again(surroundings.backoff(attempt++));
        }
    }

    /** A driver that refuses an expired certificate says so in words of its library, or not at all. */
    private void lose(CallFailure failure) {
        endpoint.tls()
                .flatMap(ours -> ours.expired(surroundings.clock().instant()))
                .ifPresentOrElse(
                        expired -> lose(Contact.AUTHENTICATION_FAILED, expired),
                        () -> lose(failure.contact(), failure.text()));
    }

    private void lose(Contact how, String why) {
        called = true;
        if (view.lost(how, why)) {
            LOG.atInfo()
                    .addKeyValue("driver", endpoint.address())
                    .addKeyValue("contact", how)
                    .addKeyValue("why", why)
                    .log("driver lost");
            surroundings.callbacks().execute(() -> tell(FleetChange.Kind.CONTACT, Optional.empty()));
        }
    }

    private void tell(FleetChange.Kind kind, Optional<String> device) {
        Instant now = surroundings.clock().instant();
        changed.accept(new FleetChange(endpoint.driver(), device.or(endpoint::node), kind, now));
    }

    /** Where circuits are asked for and changed; empty when there is no connection to be had. */
    synchronized Optional<CircuitServiceGrpc.CircuitServiceStub> circuits(Duration deadline) {
        return Optional.ofNullable(channel)
                .map(via ->
                        CircuitServiceGrpc.newStub(via).withDeadlineAfter(deadline.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** Where inventories are asked for; empty when there is no connection to be had. */
    synchronized Optional<InventoryServiceGrpc.InventoryServiceStub> inventories(Duration deadline) {
        return Optional.ofNullable(channel)
                .map(via ->
                        InventoryServiceGrpc.newStub(via).withDeadlineAfter(deadline.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** More is known of what devices consist of. */
    void listed() {
        tell(FleetChange.Kind.DEVICE, Optional.empty());
    }

    void sawEpoch(String role, EpochMark mark) {
        if (view.sawEpoch(role, mark)) {
            tell(FleetChange.Kind.CONTACT, Optional.empty());
        }
    }

    void tells(String role, long revision) {
        view.tells(role, revision);
    }

    void sawHolder(String device, String role) {
        if (view.sawHolder(device, role)) {
            tell(FleetChange.Kind.DEVICE, Optional.of(device));
        }
    }
}
