package dev.lightpath.driver;

import dev.lightpath.proto.driver.v1alpha1.TelemetryServiceGrpc.TelemetryServiceStub;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse.EventCase;
import io.grpc.Context;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/** A client of Watch that keeps all it is told. */
final class Watching implements AutoCloseable, StreamObserver<WatchResponse> {
    private final List<WatchResponse> messages = new CopyOnWriteArrayList<>();
    private final Map<String, String> digests = new ConcurrentHashMap<>();
    private final Context.CancellableContext context = Context.ROOT.withCancellation();

    static Watching start(TelemetryServiceStub telemetry, WatchRequest request) {
        Watching watching = new Watching();
        watching.context.run(() -> telemetry.watch(request, watching));
        return watching;
    }

    @Override
    public void onNext(WatchResponse message) {
        switch (message.getEventCase()) {
            case SNAPSHOT ->
                digests.put(
                        message.getSnapshot().getDeviceId(),
                        message.getSnapshot().getObservedDigest());
            case CIRCUITS_CHANGED ->
                digests.put(
                        message.getCircuitsChanged().getDeviceId(),
                        message.getCircuitsChanged().getObservedDigest());
            default -> {}
        }
        messages.add(message);
    }

    @Override
    public void onError(Throwable ended) {}

    @Override
    public void onCompleted() {}

    List<WatchResponse> messages() {
        return messages;
    }

    String digest(String deviceId) {
        return digests.getOrDefault(deviceId, "");
    }

    List<Long> sequence() {
        return List.copyOf(messages).stream()
                .map(WatchResponse::getSeq)
                .limit(3)
                .toList();
    }

    List<Long> expectedSequence() {
        return List.of(1L, 2L, 3L);
    }

    void await(EventCase kind) {
        await(m -> m.getEventCase() == kind);
    }

    void await(Predicate<WatchResponse> wanted) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> messages.stream().anyMatch(wanted));
    }

    void awaitDigest(String deviceId, String digest) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> digest(deviceId).equals(digest));
    }

    @Override
    public void close() {
        context.cancel(null);
    }
}
