package dev.lightpath.driver.emulator;

import dev.lightpath.driver.adapter.AdapterListener;
import dev.lightpath.proto.driver.v1alpha1.Environment;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import dev.lightpath.proto.emulator.v1alpha1.DeviceEvent;
import dev.lightpath.proto.emulator.v1alpha1.DeviceServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.DeviceSnapshot;
import dev.lightpath.proto.emulator.v1alpha1.GetDeviceRequest;
import dev.lightpath.proto.emulator.v1alpha1.WatchRequest;
import dev.lightpath.proto.emulator.v1alpha1.WatchResponse;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one stream to an emulator: opened again whenever it ends, until closed. One thread tells the listener everything. */
final class EmulatorStream implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmulatorStream.class);
    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 500;
    private static final int HEARTBEAT_SECONDS = 1;
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(4);
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final ManagedChannel channel;
    private final AdapterListener listener;
    private final Map<String, EmulatedDevice> devices = new HashMap<>();
    private final Set<String> seenSinceOpened = new HashSet<>();
    private final Set<String> undescribed = new HashSet<>();
    private final AtomicReference<Context.@Nullable CancellableContext> open = new AtomicReference<>();
    private final Thread thread;
    private final CompletableFuture<Void> firstSync = new CompletableFuture<>();
    private volatile long lastMessageNanos = System.nanoTime();
    private volatile boolean closed;
    private long lostSinceNanos;
    private long pauseMillis = FIRST_PAUSE_MILLIS;

    EmulatorStream(ManagedChannel channel, AdapterListener listener) {
        this.channel = channel;
        this.listener = listener;
        this.thread = Thread.ofPlatform().name("emulator-stream").daemon(true).unstarted(this::run);
    }

    CompletableFuture<Void> start() {
        thread.start();
        Thread.ofVirtual().name("emulator-watchdog").start(this::endSilentStreams);
        return firstSync;
    }

    /** A half-open connection says nothing, not even that it is gone. */
    private void endSilentStreams() {
        while (!closed) {
            try {
                Thread.sleep(Duration.ofSeconds(HEARTBEAT_SECONDS));
            } catch (InterruptedException stopping) {
                return;
            }
            Context.CancellableContext context = open.get();
            if (context != null && System.nanoTime() - lastMessageNanos > LONGEST_SILENCE.toNanos()) {
                context.cancel(new IllegalStateException("the emulator's stream fell silent"));
            }
        }
    }

    private void run() {
        while (!closed) {
            try {
                lastMessageNanos = System.nanoTime();
                watch();
            } catch (StatusRuntimeException ended) {
                lost(ended.getStatus().getCode() + ": " + ended.getStatus().getDescription());
            } catch (RuntimeException bug) {
                LOG.atError().setCause(bug).log("the emulator's stream is not understood; opening it again");
                lost(String.valueOf(bug));
            }
            pause();
        }
    }

    private void watch() {
        Context.CancellableContext context = Context.ROOT.withCancellation();
        open.set(context);
        Context before = context.attach();
        try {
            seenSinceOpened.clear();
            Iterator<WatchResponse> messages = DeviceServiceGrpc.newBlockingStub(channel)
                    .watch(WatchRequest.newBuilder()
                            .setHeartbeatInterval(
                                    com.google.protobuf.Duration.newBuilder().setSeconds(HEARTBEAT_SECONDS))
                            .build());
            while (messages.hasNext()) {
                take(messages.next());
            }
            lost("the emulator ended the stream");
        } finally {
            open.set(null);
            context.detach(before);
            context.cancel(null);
        }
    }

    private void take(WatchResponse message) {
        lastMessageNanos = System.nanoTime();
        lostSinceNanos = 0;
        switch (message.getMessageCase()) {
            case SNAPSHOT -> snapshot(message.getSnapshot());
            case SYNCED -> synced();
            case EVENT -> event(message.getEvent());
            case HEARTBEAT -> describeTheRest();
            case MESSAGE_NOT_SET -> {}
        }
    }

    private void snapshot(DeviceSnapshot snapshot) {
        String id = snapshot.getDevice().getDeviceId();
        seenSinceOpened.add(id);
        EmulatedDevice known = devices.get(id);
        if (known == null || !known.isSameHardware(snapshot)) {
            undescribed.add(id);
        }
        EmulatedDevice device = devices.computeIfAbsent(id, unused -> new EmulatedDevice());
        if (!snapshot.getDevice().getReachable()) {
            listener.silent(id, "its management does not answer");
            return;
        }
        boolean lostPower = device.take(snapshot);
        describe(id);
        if (lostPower) {
            listener.powerCycled(id);
        }
        listener.present(id, device.reading());
    }

    /** Devices that answered the stream and not the question what they are. */
    private void describeTheRest() {
        for (String id : List.copyOf(undescribed)) {
            EmulatedDevice device = devices.get(id);
            if (device != null && device.isKnown()) {
                describe(id);
                listener.present(id, device.reading());
            }
        }
    }

    private void describe(String id) {
        if (!undescribed.contains(id)) {
            return;
        }
        try {
            listener.described(Translation.description(DeviceServiceGrpc.newBlockingStub(channel)
                    .withDeadline(Deadline.after(3, TimeUnit.SECONDS))
                    .getDevice(GetDeviceRequest.newBuilder().setDeviceId(id).build())));
            undescribed.remove(id);
        } catch (StatusRuntimeException silent) {
            listener.silent(
                    id, silent.getStatus().getCode() + ": " + silent.getStatus().getDescription());
        }
    }

    private void synced() {
        pauseMillis = FIRST_PAUSE_MILLIS;
        Set<String> gone = new HashSet<>(devices.keySet());
        gone.removeAll(seenSinceOpened);
        gone.forEach(listener::removed);
        devices.keySet().removeAll(gone);
        firstSync.complete(null);
        undescribed.removeAll(gone);
    }

    private void event(DeviceEvent event) {
        String id = event.getDeviceId();
        EmulatedDevice device = devices.get(id);
        if (device == null || !device.isNews(event)) {
            return;
        }
        switch (event.getEventCase()) {
            case CONNECTION -> {
                device.connection(event.getConnection());
                listener.circuits(id, device.circuits());
            }
            case PORT -> {
                PortStatus port = Translation.port(event.getPort());
                device.port(port);
                listener.ports(id, List.of(port));
            }
            case ALARM_RAISED -> {
                device.raised(event.getAlarmRaised());
                listener.alarms(id, device.alarms());
            }
            case ALARM_CLEARED -> {
                device.cleared(event.getAlarmCleared());
                listener.alarms(id, device.alarms());
            }
            case SILENT -> listener.silent(id, "its management fell silent");
            case ENVIRONMENT -> {
                Environment environment = Environment.newBuilder()
                        .setTemperatureCelsius(event.getEnvironment().getTemperatureCelsius())
                        .setPowerWatts(event.getEnvironment().getPowerWatts())
                        .build();
                listener.environment(id, environment);
            }
            case EVENT_NOT_SET -> {}
        }
    }

    /** A stream that is back within the grace was never away: one lost packet is not the death of every device. */
    private void lost(String why) {
        if (lostSinceNanos == 0) {
            lostSinceNanos = System.nanoTime() | 1;
        } else if (!closed && System.nanoTime() - lostSinceNanos > GRACE.toNanos()) {
            devices.keySet().forEach(id -> listener.silent(id, "no connection to the emulator: " + why));
        }
    }

    private void pause() {
        try {
            Thread.sleep(pauseMillis);
            pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed = true;
        Context.CancellableContext context = open.get();
        if (context != null) {
            context.cancel(null);
        }
        thread.interrupt();
    }
}
