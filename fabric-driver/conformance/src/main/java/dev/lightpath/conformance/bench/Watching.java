package dev.lightpath.conformance.bench;

import dev.lightpath.proto.driver.v1alpha1.Circuit;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.TelemetryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse.EventCase;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A client of Watch that keeps all it is told. */
public final class Watching implements AutoCloseable {
    private static final int ALL = Integer.MAX_VALUE;

    private final List<WatchResponse> messages = new CopyOnWriteArrayList<>();
    private final Duration patience;
    private final int initially;
    private final AtomicInteger open;
    private volatile @Nullable ClientCallStreamObserver<WatchRequest> call;
    private volatile String ended = "";
    private volatile Optional<Refusal> refusal = Optional.empty();

    private Watching(Duration patience, int initially, AtomicInteger open) {
        this.patience = patience;
        this.initially = initially;
        this.open = open;
    }

    /** @param open counts the streams that are watched */
    static Watching start(Channel channel, WatchRequest request, Duration patience, AtomicInteger open) {
        return start(channel, request, patience, ALL, open);
    }

    /** A client that takes this many messages and then none until {@link #readOn}. */
    static Watching start(Channel channel, WatchRequest request, Duration patience, int initially, AtomicInteger open) {
        Watching watching = new Watching(patience, initially, open);
        open.incrementAndGet();
        TelemetryServiceGrpc.newStub(channel).watch(request, watching.new Receiver());
        return watching;
    }

    private final class Receiver implements ClientResponseObserver<WatchRequest, WatchResponse> {
        @Override
        public void beforeStart(ClientCallStreamObserver<WatchRequest> stream) {
            stream.disableAutoRequestWithInitial(initially);
            call = stream;
        }

        @Override
        public void onNext(WatchResponse message) {
            messages.add(message);
        }

        @Override
        public void onError(Throwable why) {
            refusal = why instanceof StatusRuntimeException e ? Optional.of(Refusal.of(e)) : Optional.empty();
            ended = String.valueOf(why.getMessage());
        }

        @Override
        public void onCompleted() {
            ended = "the driver ended the stream";
        }
    }

    /** Takes all messages from now on. */
    public void readOn() {
        ClientCallStreamObserver<WatchRequest> stream = call;
        if (stream != null) {
            stream.request(ALL);
        }
    }

    public List<WatchResponse> messages() {
        return List.copyOf(messages);
    }

    /** Waits for a message; what it must be like is said in {@code expected}. */
    public WatchResponse await(String expected, Predicate<WatchResponse> wanted) {
        return await(expected, 0, wanted);
    }

    /** As {@link #await(String, Predicate)}, among the messages from this index on. */
    public WatchResponse await(String expected, int from, Predicate<WatchResponse> wanted) {
        return await(expected, from, Duration.ZERO, wanted);
    }

    /** As {@link #await(String, int, Predicate)}, with this much patience at least. */
    public WatchResponse await(String expected, int from, Duration least, Predicate<WatchResponse> wanted) {
        return Waiting.until(
                        patience.compareTo(least) < 0 ? least : patience,
                        () -> messages().stream().skip(from).filter(wanted).findFirst(),
                        found -> found.isPresent() || !ended.isEmpty())
                .flatMap(found -> found)
                .orElseThrow(() -> new Unmet("on the stream: " + expected, told()));
    }

    /** Waits for a first message; what the stream was refused with instead, empty when it was not. */
    public Optional<Refusal> awaitBeginning() {
        var unused = Waiting.until(patience, () -> !messages.isEmpty() || !ended.isEmpty(), begun -> begun);
        return refusal;
    }

    public void awaitSynced() {
        var unused = await("snapshots, then Synced", m -> m.getEventCase() == EventCase.SYNCED);
    }

    /** The digest of a device as this client knows it now; empty before the first. */
    public String digest(String deviceId) {
        List<String> digests = digests(deviceId);
        return digests.isEmpty() ? "" : digests.getLast();
    }

    /** All digests of a device that this client was told, in order. */
    public List<String> digests(String deviceId) {
        List<String> digests = new ArrayList<>();
        for (WatchResponse message : messages) {
            if (message.getSnapshot().getDeviceId().equals(deviceId)) {
                digests.add(message.getSnapshot().getObservedDigest());
            } else if (message.getCircuitsChanged().getDeviceId().equals(deviceId)) {
                digests.add(message.getCircuitsChanged().getObservedDigest());
            }
        }
        return digests;
    }

    /** The circuits of a device as this client knows them now: those of the last snapshot, and what was told since. */
    public Set<CircuitKey> circuits(String deviceId) {
        Set<CircuitKey> known = new HashSet<>();
        for (WatchResponse message : messages) {
            if (message.getSnapshot().getDeviceId().equals(deviceId)) {
                known.clear();
                known.addAll(Circuits.keys(message.getSnapshot().getCircuitsList()));
            } else if (message.getCircuitsChanged().getDeviceId().equals(deviceId)) {
                message.getCircuitsChanged().getRemovedList().forEach(known::remove);
                known.addAll(Circuits.keys(message.getCircuitsChanged().getChangedList()));
            }
        }
        return known;
    }

    /** A circuit as this client knows it now; empty when it knows of none. */
    public Optional<Circuit> circuit(String deviceId, CircuitKey key) {
        Optional<Circuit> known = Optional.empty();
        for (WatchResponse message : messages) {
            if (message.getSnapshot().getDeviceId().equals(deviceId)) {
                known = find(message.getSnapshot().getCircuitsList(), key);
            } else if (message.getCircuitsChanged().getDeviceId().equals(deviceId)) {
                if (message.getCircuitsChanged().getRemovedList().contains(key)) {
                    known = Optional.empty();
                }
                Optional<Circuit> before = known;
                known = find(message.getCircuitsChanged().getChangedList(), key).or(() -> before);
            }
        }
        return known;
    }

    private static Optional<Circuit> find(List<Circuit> circuits, CircuitKey key) {
        return circuits.stream().filter(c -> c.getKey().equals(key)).findFirst();
    }

    public void awaitDigest(String deviceId, String digest) {
        if (Waiting.until(patience, () -> digest(deviceId), digest::equals).isEmpty()) {
            throw new Unmet("on the stream: a state of " + deviceId + " with digest " + digest, told());
        }
    }

    private String told() {
        return messages.size() + " messages: "
                + messages().stream()
                        .map(m -> m.getSeq() + " " + m.getEventCase())
                        .skip(Math.max(0, messages.size() - 12))
                        .toList()
                + (ended.isEmpty() ? "" : ", then the end: " + ended);
    }

    @Override
    public void close() {
        open.decrementAndGet();
        ClientCallStreamObserver<WatchRequest> stream = call;
        if (stream != null) {
            stream.cancel("the kit has seen enough", null);
        }
        expectNumbered();
    }

    /** Whatever a stream was watched for: no number is missing but those of messages that were dropped. */
    private void expectNumbered() {
        List<WatchResponse> told = messages();
        long before = 0;
        long missing = 0;
        for (WatchResponse message : told) {
            Expect.that(message.getSeq() > before, "on the stream: seq above " + before + ", the one before", message);
            missing += message.getSeq() - before - 1;
            Expect.that(
                    missing <= message.getDropped(),
                    "on the stream: no more numbers left out than the " + message.getDropped()
                            + " messages dropped, for seq counts the messages meant for the stream",
                    missing + " numbers left out up to " + message);
            Expect.equal(
                    "boot_id of message " + message.getSeq() + ", as of the first",
                    told.getFirst().getBootId(),
                    message.getBootId());
            before = message.getSeq();
        }
    }
}
