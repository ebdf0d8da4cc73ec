package dev.lightpath.driver;

import static dev.lightpath.driver.Requests.apply;
import static dev.lightpath.driver.Requests.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.driver.config.DriverConfig;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.TelemetryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client that stops reading: the driver neither waits for it nor keeps everything for it. */
final class SlowClientTest {
    private static final int BUFFER = 4;

    @TempDir
    private Path state;

    @Test
    void losesMessagesKnowsItAndIsBroughtUpToDate() throws Exception {
        try (EmulatedPlant plant = new EmulatedPlant(state)) {
            int port = plant.restartDriver(c -> new DriverConfig(
                    c.listen(), c.http(), c.stateDirectory(), c.adapters(), c.tls(), BUFFER, c.maxOperations()));
            ManagedChannel narrow = NettyChannelBuilder.forAddress("127.0.0.1", port)
                    .usePlaintext()
                    .flowControlWindow(2048)
                    .build();
            List<WatchResponse> told = new CopyOnWriteArrayList<>();
            AtomicReference<@Nullable ClientCallStreamObserver<WatchRequest>> call = new AtomicReference<>();
            TelemetryServiceGrpc.newStub(narrow)
                    .watch(
                            WatchRequest.getDefaultInstance(),
                            new ClientResponseObserver<WatchRequest, WatchResponse>() {
                                @Override
                                public void beforeStart(ClientCallStreamObserver<WatchRequest> stream) {
                                    stream.disableAutoRequestWithInitial(1);
                                    call.set(stream);
                                }

                                @Override
                                public void onNext(WatchResponse message) {
                                    told.add(message);
                                }

                                @Override
                                public void onError(Throwable ended) {}

                                @Override
                                public void onCompleted() {}
                            });
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !told.isEmpty());
            Operation last = Operation.getDefaultInstance();
            for (int i = 0; i < 150; i++) {
                String egress = i % 2 == 0 ? "b0.path1" : "b0.loop";
                last = plant.circuits()
                        .applyCircuits(apply("n0", "r", 1, "op-" + i)
                                .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_UPDATE)
                                .addConnects(key("b0.common->" + egress))
                                .build())
                        .getOperation();
            }
            ClientCallStreamObserver<WatchRequest> stream = Objects.requireNonNull(call.get());
            stream.request(1_000_000);
            String digest = last.getObservedDigest();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> told.stream()
                            .anyMatch(m -> m.getDropped() > 0
                                    && m.getSnapshot().getDeviceId().equals("n0")
                                    && m.getSnapshot().getObservedDigest().equals(digest)));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> told.getLast().hasSynced() || told.getLast().hasHeartbeat());
            List<WatchResponse> heard = List.copyOf(told);
            assertThat(heard.getLast().getSeq())
                    .isEqualTo(heard.size() + heard.getLast().getDropped());
            stream.cancel("done", null);
            narrow.shutdownNow();
        }
    }
}
