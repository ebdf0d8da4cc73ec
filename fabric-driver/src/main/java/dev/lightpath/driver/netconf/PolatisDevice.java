package dev.lightpath.driver.netconf;

import dev.lightpath.driver.adapter.AdapterListener;
import dev.lightpath.driver.adapter.DeviceReading;
import dev.lightpath.driver.adapter.DeviceSilentException;
import dev.lightpath.driver.adapter.PortLayout;
import dev.lightpath.driver.config.AdapterConfig.NetconfDevice;
import dev.lightpath.proto.driver.v1alpha1.Environment;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One device: connects, reports what the device is and does, and asks again at each event, or in each poll interval
 * without one. Only this loop calls the listener.
 */
final class PolatisDevice implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PolatisDevice.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    /** A device to talk to, and how its ports are laid out. */
    record Link(NetconfSession session, OpticalSwitch device, PortLayout layout) {}

    private final NetconfDevice config;
    private final SshSessions sessions;
    private final AdapterListener listener;
    private final PowerAlarms alarms = new PowerAlarms(Clock.systemUTC());
    private final Semaphore events = new Semaphore(0);
    private final CompletableFuture<Void> told = new CompletableFuture<>();
    private final Thread thread = Thread.ofVirtual().name("netconf-device").unstarted(this::run);
    private volatile @Nullable Link link;
    private volatile String lost = "not connected yet";
    private volatile boolean closed;
    private boolean described;
    private String serial = "";

    PolatisDevice(NetconfDevice config, SshSessions sessions, AdapterListener listener) {
        this.config = config;
        this.sessions = sessions;
        this.listener = listener;
    }

    /** Completes when the device was reported, or could not be reached. */
    CompletableFuture<Void> start() {
        thread.start();
        return told;
    }

    /** The session as it is now. */
    Link link() throws DeviceSilentException {
        Link now = link;
        if (now == null) {
            throw new DeviceSilentException(lost);
        }
        return now;
    }

    private void run() {
        Duration pause = FIRST_PAUSE;
        while (!closed) {
            try (NetconfSession session = sessions.open(config, this::event);
                    NetconfSession listening = listen(session)) {
                Link fresh = greet(session);
                pause = FIRST_PAUSE;
                told.complete(null);
                while (!closed) {
                    report(fresh, listening);
                }
            } catch (LostException | RefusedException e) {
                silent(String.valueOf(e.getMessage()));
            } catch (InterruptedException stopping) {
                return;
            } catch (RuntimeException bug) {
                LOG.atError().setCause(bug).addKeyValue("device", config.id()).log("the device is not understood");
                silent(String.valueOf(bug));
            }
            link = null;
            told.complete(null);
            if (!sleep(pause)) {
                return;
            }
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause.multipliedBy(2);
        }
    }

    /**
     * A session for notifications: without :interleave a session that has subscribed takes no other rpc. Where the device
     * has none, or takes no second session, it is the first one, and the device is asked in each poll interval.
     */
    private NetconfSession listen(NetconfSession session) {
        alarms.forget();
        if (!session.can("notification")) {
            return session;
        }
        NetconfSession listening = session;
        try {
            listening = sessions.open(config, this::event);
            new OpticalSwitch(listening, config.yangRevision()).subscribe();
            return listening;
        } catch (RefusedException | LostException none) {
            LOG.atWarn()
                    .addKeyValue("device", config.id())
                    .log("no notifications, asking every " + config.poll().toMillis() + " ms: " + none.getMessage());
            if (listening != session) {
                listening.close();
            }
            return session;
        }
    }

    private Link greet(NetconfSession session) throws LostException, RefusedException {
        OpticalSwitch device = new OpticalSwitch(session, config.yangRevision());
        OpticalSwitch.Product product = device.product();
        PortLayout layout = layout(product);
        var description = new Nameplate(product, layout, device.isTransactional()).description(config.id());
        listener.described(description);
        if (described && !product.serial().equals(serial)) {
            listener.powerCycled(config.id());
        }
        described = true;
        serial = product.serial();
        OpticalSwitch.State state = device.state(layout);
        Link fresh = new Link(session, device, layout);
        link = fresh;
        lost = "";
        listener.present(
                config.id(),
                new DeviceReading(state.circuits(), state.ports(), alarms.all(), Environment.getDefaultInstance()));
        return fresh;
    }

    private PortLayout layout(OpticalSwitch.Product product) throws LostException {
        Optional<PortLayout> told = PortLayout.of(product.model());
        Optional<PortLayout> named = PortLayout.of(config.size());
        if (told.isPresent() && named.isPresent() && !told.equals(named)) {
            throw new LostException(
                    "the device is a " + product.model() + ", but driver.yaml names size " + config.size());
        }
        return named.or(() -> told)
                .orElseThrow(() -> new LostException("the model name '" + Xml.oneLine(product.model())
                        + "' has no size such as 48x48 or 48xCC; write `size` in driver.yaml"));
    }

    private void report(Link to, NetconfSession listening)
            throws InterruptedException, LostException, RefusedException {
        boolean event = events.tryAcquire(config.poll().toMillis(), TimeUnit.MILLISECONDS);
        events.drainPermits();
        if (closed) {
            return;
        }
        if (listening.isOver()) {
            throw new LostException("the session for notifications ended");
        }
        if (event) {
            listener.alarms(config.id(), alarms.all());
        }
        OpticalSwitch.State state = to.device().state(to.layout());
        listener.ports(config.id(), state.ports());
        listener.circuits(config.id(), state.circuits());
    }

    private void event(Element notification) {
        alarms.take(notification);
        events.release();
    }

    /** The session is of no use any more: connect again. */
    void reconnect(Link broken) {
        broken.session().close();
        events.release();
    }

    private void silent(String why) {
        if (closed) {
            return;
        }
        if (!why.equals(lost)) {
            LOG.atWarn().addKeyValue("device", config.id()).log(why);
        }
        lost = why;
        if (described) {
            listener.silent(config.id(), why);
        }
    }

    private boolean sleep(Duration time) {
        try {
            Thread.sleep(time);
            return !closed;
        } catch (InterruptedException stopping) {
            return false;
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
