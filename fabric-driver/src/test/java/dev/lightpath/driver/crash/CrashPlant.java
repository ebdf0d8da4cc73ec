package dev.lightpath.driver.crash;

import dev.lightpath.driver.config.DriverConfig;
import dev.lightpath.driver.emulator.EmulatorAdapter;
import dev.lightpath.driver.journal.Journal;
import dev.lightpath.driver.ledger.Ledger;
import dev.lightpath.driver.server.RunningDriver;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc.CircuitServiceBlockingStub;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.InventoryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.GetEventLogRequest;
import dev.lightpath.proto.emulator.v1alpha1.GetGroundTruthRequest;
import dev.lightpath.proto.emulator.v1alpha1.LightEvent;
import dev.lightpath.sim.Emulator;
import dev.lightpath.sim.scenario.Scenario;
import dev.lightpath.tracing.Tracing;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.awaitility.Awaitility;

/** An emulator that lives on, and a driver that stops at a crash point and is started again on its files. */
final class CrashPlant implements AutoCloseable {
    private static final String SCENARIO = """
            listen: 127.0.0.1:0
            seed: 3
            presets:
              quick: {extends: mems, moveMillis: [3, 6]}
            devices:
              - {id: ocs-1, kind: switch, ports: 12, preset: quick}
              - {id: node-1, kind: transceivers, modules: 2}
            """;
    private static final long COMPACT_NEVER = 1L << 30;

    /** The driver stopped before it answered. */
    static final class DriverStoppedException extends Exception {
        private static final long serialVersionUID = 1L;

        DriverStoppedException(String moment) {
            super(moment);
        }
    }

    private final Path state;
    private final Emulator emulator;
    private final ManagedChannel emulated;
    private CrashPoint crash;
    private RunningDriver driver;
    private ManagedChannel channel;

    CrashPlant(Path state, CrashPoint crash) throws Exception {
        this.state = state;
        this.emulator = Emulator.start(Scenario.parse("crash.yaml", SCENARIO));
        this.emulated = channel(emulator.port());
        launch(crash);
        awaitDevices();
    }

    /** On a busy machine the driver serves before the emulator has told it of its devices. */
    private void awaitDevices() {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
            List<Device> devices = InventoryServiceGrpc.newBlockingStub(channel)
                    .listDevices(ListDevicesRequest.getDefaultInstance())
                    .getDevicesList();
            return devices.size() == 2
                    && devices.stream().allMatch(d -> d.getAvailability() == Availability.AVAILABILITY_PRESENT);
        });
    }

    private static ManagedChannel channel(int port) {
        return NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    }

    private void launch(CrashPoint next) throws Exception {
        crash = next;
        Clock clock = Clock.systemUTC();
        String endpoint = "127.0.0.1:" + emulator.port();
        Ledger ledger = Ledger.open(
                state,
                clock,
                COMPACT_NEVER,
                (directory, replay) -> new CrashingLog(Journal.open(directory, replay), next));
        driver = new RunningDriver(
                DriverConfig.onLoopback(state, endpoint),
                List.of(new CrashingAdapter(new EmulatorAdapter(endpoint), next)),
                clock,
                Tracing.silent(),
                ledger);
        channel = channel(driver.port());
    }

    /** Ends a driver that has not stopped, and starts one that stops at this point. */
    void restartInto(CrashPoint next) throws Exception {
        abandon();
        launch(next);
    }

    /** No crash from here on: starts another driver if the present one has stopped since it was last called. */
    void settle() throws Exception {
        crash.defuse();
        if (crash.crashed().isDone()) {
            restart();
        }
    }

    /** Leaves the stopped driver and starts another one on the same files, which does not stop. */
    void restart() throws Exception {
        abandon();
        launch(new CrashPoint(0));
        awaitDevices();
    }

    private void abandon() {
        channel.shutdownNow();
        driver.close();
    }

    /** Calls the driver; an answer of a driver that has stopped does not count. */
    <T> T call(Function<CircuitServiceBlockingStub, T> call) throws DriverStoppedException {
        CircuitServiceBlockingStub stub =
                CircuitServiceGrpc.newBlockingStub(channel).withDeadlineAfter(30, TimeUnit.SECONDS);
        CompletableFuture<T> answer = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try {
                answer.complete(call.apply(stub));
            } catch (RuntimeException refused) {
                answer.completeExceptionally(refused);
            }
        });
        CompletableFuture<String> stopped = crash.crashed();
        try {
            var unused = CompletableFuture.anyOf(answer, stopped).join();
        } catch (CompletionException refused) {
            if (!stopped.isDone() && refused.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
        }
        if (stopped.isDone()) {
            throw new DriverStoppedException(stopped.join());
        }
        return answer.join();
    }

    /** What light really does, as "1->17". */
    Set<String> truth(String deviceId) {
        Set<String> circuits = new TreeSet<>();
        ChaosServiceGrpc.newBlockingStub(emulated)
                .getGroundTruth(GetGroundTruthRequest.newBuilder()
                        .addDeviceIds(deviceId)
                        .build())
                .getDevices(0)
                .getCircuitsList()
                .forEach(c -> circuits.add(c.getIngress() + "->" + c.getEgress()));
        return circuits;
    }

    /** All that light did since the emulator began. */
    List<LightEvent> history() {
        return ChaosServiceGrpc.newBlockingStub(emulated)
                .getEventLog(GetEventLogRequest.newBuilder().setLimit(100_000).build())
                .getEventsList();
    }

    @Override
    public void close() {
        abandon();
        emulated.shutdownNow();
        emulator.close();
    }
}
