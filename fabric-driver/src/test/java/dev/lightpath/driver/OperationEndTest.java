package dev.lightpath.driver;

import static dev.lightpath.driver.Requests.apply;
import static dev.lightpath.driver.Requests.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.driver.config.DriverConfig;
import dev.lightpath.driver.emulator.EmulatorAdapter;
import dev.lightpath.driver.journal.Journal;
import dev.lightpath.driver.journal.RecordLog;
import dev.lightpath.driver.ledger.Ledger;
import dev.lightpath.driver.server.RunningDriver;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc.CircuitServiceBlockingStub;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.tracing.Tracing;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The moment between the end of an operation and its answer, held open by a journal that is slow to write the end. */
final class OperationEndTest {
    private static final String DEVICE = "ocs-1";
    private static final String ROLE = "r";

    @TempDir
    private Path directory;

    @Test
    void nobodyHearsOfAnEndBeforeItIsDurableAndWhoeverComesThenIsServed() throws Exception {
        try (EmulatedPlant plant = new EmulatedPlant(directory.resolve("unused"))) {
            CompletableFuture<Void> disk = new CompletableFuture<>();
            CompletableFuture<Void> held = new CompletableFuture<>();
            CompletableFuture<Ledger> own = new CompletableFuture<>();
            BooleanSupplier ended = () -> own.isDone() && outcome(own.join(), "first") == Outcome.OUTCOME_APPLIED;
            Ledger ledger = Ledger.open(
                    directory.resolve("state"),
                    Clock.systemUTC(),
                    1L << 30,
                    (state, replay) -> new HeldLog(Journal.open(state, replay), ended, held, disk));
            own.complete(ledger);
            String emulator = "127.0.0.1:" + plant.emulatorPort();
            try (RunningDriver driver = new RunningDriver(
                    DriverConfig.onLoopback(directory.resolve("state"), emulator),
                    List.of(new EmulatorAdapter(emulator)),
                    Clock.systemUTC(),
                    Tracing.silent(),
                    ledger)) {
                ManagedChannel channel = EmulatedPlant.channel(driver.port());
                try {
                    ApplyCircuitsRequest first = apply(DEVICE, ROLE, 1, "first")
                            .addConnects(key("1->17"))
                            .build();
                    var answer = beside(() -> calls(channel).applyCircuits(first));
                    held.get(60, TimeUnit.SECONDS);

                    CompletableFuture<Operation> told = beside(() -> operation(channel, "first"));
                    CompletableFuture<ApplyCircuitsResponse> repetition =
                            beside(() -> calls(channel).applyCircuits(first));
                    CompletableFuture<ApplyCircuitsResponse> next = beside(() -> calls(channel)
                            .applyCircuits(apply(DEVICE, ROLE, 1, "next")
                                    .addConnects(key("2->18"))
                                    .build()));
                    assertThatThrownBy(() -> CompletableFuture.anyOf(answer, told, repetition, next)
                                    .get(500, TimeUnit.MILLISECONDS))
                            .as("anything said of an end that is not durable")
                            .isInstanceOf(TimeoutException.class);

                    disk.complete(null);
                    assertThat(answer.get(60, TimeUnit.SECONDS).getReplayed()).isFalse();
                    assertThat(told.get(60, TimeUnit.SECONDS).getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
                    assertThat(repetition.get(60, TimeUnit.SECONDS).getReplayed())
                            .isTrue();
                    assertThat(next.get(60, TimeUnit.SECONDS).getOperation().getOutcome())
                            .isEqualTo(Outcome.OUTCOME_APPLIED);
                    assertThat(plant.truth(DEVICE)).isEqualTo(List.of("1->17", "2->18"));
                } finally {
                    channel.shutdownNow();
                }
            }
        }
    }

    private static Outcome outcome(Ledger ledger, String operationId) {
        return ledger.device(DEVICE)
                .operation(ROLE, operationId)
                .map(stored -> stored.operation().getOutcome())
                .orElse(Outcome.OUTCOME_UNSPECIFIED);
    }

    private static CircuitServiceBlockingStub calls(ManagedChannel channel) {
        return CircuitServiceGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
    }

    private static Operation operation(ManagedChannel channel, String id) {
        return calls(channel)
                .getOperation(GetOperationRequest.newBuilder()
                        .setDeviceId(DEVICE)
                        .setRole(ROLE)
                        .setOperationId(id)
                        .build())
                .getOperation();
    }

    private static <T> CompletableFuture<T> beside(Supplier<T> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try {
                answer.complete(call.get());
            } catch (RuntimeException refused) {
                answer.completeExceptionally(refused);
            }
        });
        return answer;
    }

    /** A journal that is slow from the moment on at which an operation ended. */
    private record HeldLog(
            RecordLog log, BooleanSupplier slow, CompletableFuture<Void> reached, CompletableFuture<Void> disk)
            implements RecordLog {
        @Override
        public CompletableFuture<Void> append(byte[] bytes) {
            CompletableFuture<Void> written = log.append(bytes);
            if (!slow.getAsBoolean()) {
                return written;
            }
            reached.complete(null);
            return written.thenCombine(disk, (a, b) -> null);
        }

        @Override
        public CompletableFuture<Void> rotate(Iterable<byte[]> snapshot) {
            return log.rotate(snapshot);
        }

        @Override
        public long sizeBytes() {
            return log.sizeBytes();
        }

        @Override
        public IOException failure() {
            return log.failure();
        }

        @Override
        public void close() throws IOException {
            log.close();
        }
    }
}
