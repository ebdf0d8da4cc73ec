package dev.lightpath.driver.deviceapi;

import dev.lightpath.driver.adapter.AdapterListener;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.session.OneLine;
import dev.lightpath.driver.session.ToldOnce;
import dev.lightpath.driver.stream.ReopenedStream;
import dev.lightpath.proto.device.v1alpha1.DeviceServiceGrpc;
import dev.lightpath.proto.device.v1alpha1.Reading;
import dev.lightpath.proto.device.v1alpha1.WatchRequest;
import dev.lightpath.proto.device.v1alpha1.WatchResponse;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the one stream to a program says, taken in by the stream's thread alone. */
final class DeviceStream implements ReopenedStream.Reader<WatchResponse>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeviceStream.class);

    /** Begins the line of a device whose program says something wrong. */
    static final String UNUSABLE = "what its program says cannot be used: ";

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    /** A stream that describes no further device for so long, and has not sent synced, is taken for one that never does. */
    private static final Duration LISTING = Duration.ofSeconds(10);

    private static final Duration MINUTE = Duration.ofMinutes(1);
    /** A program whose streams end more often within a minute is told of. */
    private static final int USUAL_STREAMS = 5;

    private final String endpoint;
    private final ManagedChannel channel;
    private final AdapterListener listener;
    private final Map<String, KnownDevice> devices = new ConcurrentHashMap<>();
    private final ToldOnce told = new ToldOnce();
    /** Since when something wrong of a device waits to be said anew; 0 while nothing does. */
    private final AtomicLong wrongSinceNanos = new AtomicLong();

    private final Set<String> seenSinceOpened = new HashSet<>();
    /** Devices of which this stream has said whether they answer. */
    private final Set<String> toldSinceOpened = new HashSet<>();
    /** When streams began to speak, within the last minute. */
    private final ArrayDeque<Long> spokenNanos = new ArrayDeque<>();
    /** Why the program is away; empty while it is not. */
    private String away = "";

    private boolean spoke;
    /** Whether this stream has sent synced, or is too late with it. */
    private boolean listed;
    /** When this stream began to speak, or described a device last. */
    private long listingNanos;
    /** Devices whose description cannot be used, and why. */
    private final Map<String, String> unusable = new HashMap<>();

    private final ReopenedStream<WatchResponse> stream;
    private final CompletableFuture<Set<String>> firstSync = new CompletableFuture<>();

    DeviceStream(String endpoint, ManagedChannel channel, AdapterListener listener) {
        this.endpoint = endpoint;
        this.channel = channel;
        this.listener = listener;
        this.stream = new ReopenedStream<>("device-api-stream " + endpoint, "the program", this);
    }

    CompletableFuture<Set<String>> start() {
        stream.start();
        return firstSync;
    }

    /** Begins anew. */
    void again() {
        stream.again();
    }

    @Override
    public Iterator<WatchResponse> open() {
        seenSinceOpened.clear();
        toldSinceOpened.clear();
        spoke = false;
        listed = false;
        wrongSinceNanos.set(0);
        return DeviceServiceGrpc.newBlockingStub(channel)
                .watch(WatchRequest.newBuilder()
                        .setHeartbeatInterval(ReopenedStream.HEARTBEAT)
                        .build());
    }

    @Override
    public void take(WatchResponse message) {
        String id = message.getDeviceId();
        if (!spoke || message.hasDescription()) {
            listingNanos = System.nanoTime();
        }
        if (!spoke) {
            spoke = true;
            speaks();
        }
        try {
            switch (message.getEventCase()) {
                case DESCRIPTION -> describe(id, message);
                case SYNCED -> synced();
                case HEARTBEAT, EVENT_NOT_SET -> {}
                case READING, SILENCE, CIRCUITS, PORTS, ALARMS, ENVIRONMENT -> news(id, message);
            }
        } catch (UnusableException unusableNews) {
            refuse(id, String.valueOf(unusableNews.getMessage()));
        }
        if (!listed && System.nanoTime() - listingNanos > LISTING.toNanos()) {
            listed = true;
            unlisted();
        }
    }

    /** Which devices were removed is not known. Of those that this stream said nothing of, nothing is known now. */
    private void unlisted() {
        String why = "the program has not sent synced " + LISTING.toSeconds() + " s after its last description";
        LOG.atWarn().addKeyValue("endpoint", endpoint).log(why);
        devices.keySet().stream()
                .filter(id -> !toldSinceOpened.contains(id))
                .forEach(id -> listener.silent(id, UNUSABLE + why + ", and has not told of this device"));
    }

    private void refuse(String id, String why) {
        if (told.isNew(id + ": " + why)) {
            LOG.atWarn()
                    .addKeyValue("endpoint", endpoint)
                    .addKeyValue("device", OneLine.of(id))
                    .log(why);
        }
        if (devices.containsKey(id)) {
            listener.silent(id, UNUSABLE + why);
            var unused = wrongSinceNanos.compareAndSet(0, System.nanoTime() | 1);
        }
    }

    private void speaks() {
        if (!away.isEmpty()) {
            LOG.atInfo().addKeyValue("endpoint", endpoint).log("the program answers");
            away = "";
        }
        long now = System.nanoTime();
        spokenNanos.add(now);
        spokenNanos.removeIf(at -> now - at > MINUTE.toNanos());
        if (spokenNanos.size() > USUAL_STREAMS) {
            LOG.atWarn()
                    .addKeyValue("endpoint", endpoint)
                    .log("the program's stream began " + spokenNanos.size() + " times within a minute");
            spokenNanos.clear();
        }
    }

    /**
     * The connection may be half open. It would carry the next stream, and every call, until the kernel gives it up: a
     * quarter of an hour. Calls under way end as they would have. A connection that is still being made is let be: each
     * attempt would else be ended before it is over.
     */
    @Override
    public void silent() {
        if (channel.getState(false) == ConnectivityState.READY) {
            channel.enterIdle();
        }
    }

    /** A program does not know that it was not understood: a stream that begins anew says all of a device again. */
    @Override
    public void beat() {
        long since = wrongSinceNanos.get();
        if (since != 0 && System.nanoTime() - since > PATIENCE.toNanos()) {
            stream.again();
        }
    }

    /** As the program described it, if it did. */
    Optional<KnownDevice> device(String id) {
        return Optional.ofNullable(devices.get(id));
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
                    "the program sent news of '" + OneLine.of(id) + "' before the description of this device");
        }
        if (message.hasReading() || message.hasSilence()) {
            toldSinceOpened.add(id);
        }
        switch (message.getEventCase()) {
            case READING -> present(id, device, message.getReading());
            case SILENCE -> listener.silent(id, OneLine.of(message.getSilence().getDetail()));
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
        listed = true;
        stream.settled();
        Set<String> gone = new HashSet<>(devices.keySet());
        gone.removeAll(seenSinceOpened);
        gone.forEach(id -> {
            devices.remove(id);
            listener.removed(id);
        });
        unusable.keySet().retainAll(seenSinceOpened);
        for (String id : seenSinceOpened) {
            if (!toldSinceOpened.contains(id) && !unusable.containsKey(id)) {
                refuse(id, "the program sent synced without a reading or a silence of this device");
            }
        }
        firstSync.complete(Set.copyOf(seenSinceOpened));
    }

    @Override
    public void lost(String why) {
        String line = "no connection to " + endpoint + ": " + OneLine.of(why);
        if (!line.equals(away)) {
            LOG.atWarn().addKeyValue("endpoint", endpoint).log(line);
            away = line;
        }
        devices.keySet().forEach(id -> listener.silent(id, line));
    }

    @Override
    public void close() {
        stream.close();
    }
}
