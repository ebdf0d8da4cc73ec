package dev.lightpath.driver.openflow;

import dev.lightpath.driver.adapter.AdapterListener;
import dev.lightpath.driver.adapter.DeviceReading;
import dev.lightpath.driver.adapter.DeviceSilentException;
import dev.lightpath.driver.adapter.PortLayout;
import dev.lightpath.driver.config.AdapterConfig.OpenFlowSwitchConfig;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.AlarmSeverity;
import dev.lightpath.proto.driver.v1alpha1.Environment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One device: waits until it connects, reports what it is and does, and asks again at each event, or in each poll
 * interval without one. A new connection takes the place of the one before. Only this loop calls the listener.
 */
final class OpenFlowDevice implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OpenFlowDevice.class);
    /** A driver that starts waits so long for its devices to connect. */
    private static final Duration FIRST = Duration.ofSeconds(5);

    /** A device to talk to. */
    record Link(Connection connection, OpenFlowSwitch device) {}

    private final OpenFlowSwitchConfig config;
    private final PortLayout layout;
    private final AdapterListener listener;
    private final Semaphore events = new Semaphore(0);
    private final AtomicReference<@Nullable Connection> incoming = new AtomicReference<>();
    private final CompletableFuture<Void> told = new CompletableFuture<>();
    private final Thread thread = Thread.ofVirtual().name("openflow-device").unstarted(this::run);
    private volatile @Nullable Link link;
    private volatile String lost = "has not connected to the driver yet";
    private volatile boolean closed;
    private boolean described;
    private List<String> strange = List.of();

    OpenFlowDevice(OpenFlowSwitchConfig config, PortLayout layout, AdapterListener listener) {
        this.config = config;
        this.layout = layout;
        this.listener = listener;
    }

    /** Completes when the device was reported, or did not connect for a while. */
    CompletableFuture<Void> start() {
        thread.start();
        return told.completeOnTimeout(null, FIRST.toMillis(), TimeUnit.MILLISECONDS);
    }

    OpenFlowSwitchConfig config() {
        return config;
    }

    /** The device has connected. */
    void connected(Connection connection) {
        Connection before = incoming.getAndSet(connection);
        if (before != null) {
            before.end("the device connected again");
        }
        Link now = link;
        if (now != null) {
            now.connection().end("the device connected again");
        }
        connection.listen(message -> events.release());
        events.release();
    }

    /** The connection as it is now. */
    Link link() throws DeviceSilentException {
        Link now = link;
        if (now == null) {
            throw new DeviceSilentException(lost);
        }
        return now;
    }

    private void run() {
        while (!closed) {
            try {
                events.acquire();
                Connection connection = incoming.getAndSet(null);
                if (connection != null) {
                    serve(connection);
                }
            } catch (InterruptedException stopping) {
                return;
            }
        }
    }

    private void serve(Connection connection) throws InterruptedException {
        try (connection) {
            Link fresh = greet(connection);
            told.complete(null);
            while (!closed && !connection.isOver()) {
                report(fresh);
            }
            silent(connection.why());
        } catch (LostException | RefusedException e) {
            silent(String.valueOf(e.getMessage()));
        } catch (RuntimeException bug) {
            LOG.atError().setCause(bug).addKeyValue("device", config.id()).log("the device is not understood");
            silent(String.valueOf(bug));
        }
        link = null;
    }

    private Link greet(Connection connection) throws LostException, RefusedException {
        OpenFlowSwitch device = new OpenFlowSwitch(connection, layout);
        try {
            device.takeMastership();
        } catch (RefusedException another) {
            LOG.atWarn()
                    .addKeyValue("device", config.id())
                    .log("it does not take this driver as its master, and may refuse changes: " + another.getMessage());
        }
        listener.described(
                new Description(config.id(), OpenFlowAdapter.hex(config.datapath()), layout, device.isTransactional())
                        .words());
        described = true;
        OpenFlowSwitch.State state = device.state();
        Link fresh = new Link(connection, device);
        link = fresh;
        lost = "";
        listener.present(
                config.id(),
                new DeviceReading(
                        state.circuits(), state.ports(), alarms(state.strange()), Environment.getDefaultInstance()));
        strange = state.strange();
        return fresh;
    }

    private void report(Link to) throws InterruptedException, LostException, RefusedException {
        var unused = events.tryAcquire(config.poll().toMillis(), TimeUnit.MILLISECONDS);
        events.drainPermits();
        if (incoming.get() != null) {
            // drained with the others
            events.release();
            throw new LostException("the device connected again");
        }
        if (closed || to.connection().isOver()) {
            return;
        }
        OpenFlowSwitch.State state = to.device().state();
        if (!state.strange().equals(strange)) {
            strange = state.strange();
            listener.alarms(config.id(), alarms(strange));
        }
        listener.ports(config.id(), state.ports());
        listener.circuits(config.id(), state.circuits());
    }

    /** Light may go where no circuit says. */
    private static List<Alarm> alarms(List<String> strange) {
        return strange.isEmpty()
                ? List.of()
                : List.of(Alarm.newBuilder()
                        .setKind(AlarmKind.ALARM_KIND_DEGRADED)
                        .setSeverity(AlarmSeverity.ALARM_SEVERITY_WARNING)
                        .setNativeText(String.join("; ", strange.subList(0, Math.min(strange.size(), 5))))
                        .build());
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

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        Link now = link;
        if (now != null) {
            now.connection().close();
        }
        Connection waiting = incoming.getAndSet(null);
        if (waiting != null) {
            waiting.close();
        }
    }
}
