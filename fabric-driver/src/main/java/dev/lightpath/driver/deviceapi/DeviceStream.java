package dev.lightpath.driver.deviceapi;

import dev.lightpath.driver.adapter.AdapterListener;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.proto.device.v1alpha1.DeviceServiceGrpc;
import dev.lightpath.proto.device.v1alpha1.Reading;
import dev.lightpath.proto.device.v1alpha1.WatchRequest;
import dev.lightpath.proto.device.v1alpha1.WatchResponse;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one stream to a program: opened again whenever it ends, until closed. One thread takes in what it says. */
final class DeviceStream implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeviceStream.class);
    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 500;
    private static final int HEARTBEAT_SECONDS = 1;
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(4 * HEARTBEAT_SECONDS);
    /** A stream that is back within this time was never away. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final String endpoint;
    private final ManagedChannel channel;
    private final AdapterListener listener;
    private final ScheduledExecutorService timers;
    private final Map<String, KnownDevice> devices = new HashMap<>();
    private final Set<String> seenSinceOpened = new HashSet<>();
    /** Devices whose description cannot be used, and why. */
    private final Map<String, String> unusable = new HashMap<>();

    private final AtomicReference<Context.@Nullable CancellableContext> open = new AtomicReference<>();
    private final Thread thread =
            Thread.ofPlatform().name("device-api-stream").daemon(true).unstarted(this::run);
    private final CompletableFuture<Void> firstSync = new CompletableFuture<>();
    /** Since when the stream's thread waits for a message; 0 while it takes one in, however long that takes. */
    private volatile long waitingSinceNanos;

    private volatile boolean closed;
    private long lostSinceNanos;
    private long pauseMillis = FIRST_PAUSE_MILLIS;

    DeviceStream(String endpoint, ManagedChannel channel, AdapterListener listener, ScheduledExecutorService timers) {
        this.endpoint = endpoint;
        this.channel = channel;
        this.listener = listener;
        this.timers = timers;
    }

    CompletableFuture<Void> start() {
        thread.start();
        var unused = timers.scheduleAtFixedRate(
                this::endSilentStream, HEARTBEAT_SECONDS, HEARTBEAT_SECONDS, TimeUnit.SECONDS);
        return firstSync;
    }

    /** A half-open connection says nothing, not even that it is gone. */
    private void endSilentStream() {
        Context.CancellableContext context = open.get();
        long since = waitingSinceNanos;
        if (context != null && since != 0 && System.nanoTime() - since > LONGEST_SILENCE.toNanos()) {
            context.cancel(new IllegalStateException("the program's stream fell silent"));
        }
    }

    private void run() {
        while (!closed) {
            try {
                watch();
                lost("the program ended the stream");
            } catch (StatusRuntimeException ended) {
                lost(Translation.line(ended.getStatus()));
            } catch (RuntimeException bug) {
                LOG.atError()
                        .setCause(bug)
                        .addKeyValue("endpoint", endpoint)
                        .log("the program's stream is not understood; opening it again");
                lost(String.valueOf(bug));
            }
            pause();
        }
    }

    private void watch() {
        Context.CancellableContext context = Context.ROOT.withCancellation();
        waitingSinceNanos = System.nanoTime() | 1;
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
                waitingSinceNanos = 0;
                take(messages.next());
                waitingSinceNanos = System.nanoTime() | 1;
            }
        } finally {
            open.set(null);
            context.detach(before);
            context.cancel(null);
        }
    }

    private void take(WatchResponse message) {
        lostSinceNanos = 0;
        String id = message.getDeviceId();
        try {
            switch (message.getEventCase()) {
                case DESCRIPTION -> describe(id, message);
                case SYNCED -> synced();
                case HEARTBEAT, EVENT_NOT_SET -> {}
                case READING, SILENCE, CIRCUITS, PORTS, ALARMS, ENVIRONMENT -> news(id, message);
            }
        } catch (UnusableException wrong) {
            LOG.atWarn()
                    .addKeyValue("endpoint", endpoint)
                    .addKeyValue("device", id)
                    .log(wrong.getMessage());
            if (devices.containsKey(id)) {
                listener.silent(id, "what its program says cannot be used: " + wrong.getMessage());
            }
        }
    }

    private void describe(String id, WatchResponse message) throws UnusableException {
        seenSinceOpened.add(id);
        try {
            DeviceDescription description = Translation.description(id, message.getDescription());
            KnownDevice described = new KnownDevice(description);
            devices.compute(id, (unused, before) -> before == null ? described : described.after(before));
            unusable.remove(id);
            listener.described(description);
        } catch (UnusableException wrong) {
            unusable.put(id, String.valueOf(wrong.getMessage()));
            throw wrong;
        }
    }

    private void news(String id, WatchResponse message) throws UnusableException {
        if (unusable.containsKey(id)) {
            return;
        }
        KnownDevice device = devices.get(id);
        if (device == null || !seenSinceOpened.contains(id)) {
            throw new UnusableException(
                    "the program sent news of '" + Translation.oneLine(id) + "' before the description of this device");
        }
        switch (message.getEventCase()) {
            case READING -> present(id, device, message.getReading());
            case SILENCE ->
                listener.silent(id, Translation.oneLine(message.getSilence().getDetail()));
            case CIRCUITS ->
                listener.circuits(id, device.circuits(message.getCircuits().getCircuitsList()));
            case PORTS -> listener.ports(id, device.ports(message.getPorts().getPortsList()));
            case ALARMS -> listener.alarms(id, message.getAlarms().getAlarmsList());
            case ENVIRONMENT -> listener.environment(id, message.getEnvironment());
            case DESCRIPTION, SYNCED, HEARTBEAT, EVENT_NOT_SET ->
                throw new IllegalStateException("no news: " + message.getEventCase());
        }
    }

    private void present(String id, KnownDevice device, Reading said) throws UnusableException {
        var reading = device.reading(said);
        if (device.lostPower(said)) {
            listener.powerCycled(id);
        }
        listener.present(id, reading);
    }

    private void synced() {
        pauseMillis = FIRST_PAUSE_MILLIS;
        Set<String> gone = new HashSet<>(devices.keySet());
        gone.removeAll(seenSinceOpened);
        gone.forEach(id -> {
            devices.remove(id);
            listener.removed(id);
        });
        unusable.keySet().retainAll(seenSinceOpened);
        firstSync.complete(null);
    }

    private void lost(String why) {
        if (lostSinceNanos == 0) {
            lostSinceNanos = System.nanoTime() | 1;
        } else if (!closed && System.nanoTime() - lostSinceNanos > GRACE.toNanos()) {
            devices.keySet().forEach(id -> listener.silent(id, "no connection to " + endpoint + ": " + why));
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
