package dev.lightpath.driver;

import static dev.lightpath.driver.Requests.apply;
import static dev.lightpath.driver.Requests.errorInfo;
import static dev.lightpath.driver.Requests.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc.CircuitServiceBlockingStub;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A driver process that is really killed, with an operation under way. */
final class KilledDriverContractTest {
    private static final String ROLE = "r";
    private static final Pattern PORT = Pattern.compile("port=(\\d+) ");

    @TempDir
    private Path directory;

    private EmulatedPlant plant;
    private Process process;
    private ManagedChannel channel;

    private void start(EmulatedPlant devices) throws Exception {
        plant = devices;
        launch();
    }

    /** Until the test lets time pass, all that devices begin is under way. */
    private void hold() throws Exception {
        start(EmulatedPlant.held(directory.resolve("unused")));
    }

    @AfterEach
    void stop() throws Exception {
        kill();
        plant.close();
    }

    private CompletableFuture<ApplyCircuitsResponse> beside(ApplyCircuitsRequest.Builder request) {
        return CompletableFuture.supplyAsync(
                () -> circuits().applyCircuits(request.build()), Thread::startVirtualThread);
    }

    private void launch() throws IOException {
        Path config = Files.writeString(directory.resolve("driver.yaml"), """
                listen: 127.0.0.1:0
                http: 127.0.0.1:0
                stateDirectory: state
                adapters: [{kind: emulator, endpoint: "127.0.0.1:%d"}]
                """.formatted(plant.emulatorPort()));
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        DriverServer.class.getName(),
                        "--config",
                        config.toString())
                .redirectErrorStream(true)
                .start();
        BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        StringBuilder said = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            said.append(line).append('\n');
            Matcher port = PORT.matcher(line);
            if (port.find()) {
                channel = EmulatedPlant.channel(Integer.parseInt(port.group(1)));
                // on a busy machine it serves before the emulator has told it of its devices
                plant.awaitDevices(channel);
                return;
            }
        }
        throw new AssertionError("the driver did not start:\n" + said);
    }

    private void kill() throws InterruptedException {
        channel.shutdownNow();
        process.destroyForcibly();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }

    private CircuitServiceBlockingStub circuits() {
        return CircuitServiceGrpc.newBlockingStub(channel).withDeadlineAfter(30, TimeUnit.SECONDS);
    }

    private void awaitMoving(String device) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> circuits()
                        .getCircuits(GetCircuitsRequest.newBuilder()
                                .addDevices(DeviceScope.newBuilder().setDeviceId(device))
                                .build())
                        .getDevices(0)
                        .getCircuitsList()
                        .stream()
                        .anyMatch(circuit -> circuit.getState() == CircuitState.CIRCUIT_STATE_TUNING));
    }

    private Operation operation(String device, String id) {
        return circuits()
                .getOperation(GetOperationRequest.newBuilder()
                        .setDeviceId(device)
                        .setRole(ROLE)
                        .setOperationId(id)
                        .build())
                .getOperation();
    }

    @Test
    void remembersEpochAndOperationAndTellsTheTruthAboutTheRest() throws Exception {
        hold();
        assertThat(plant.passUntil(beside(apply("slow-1", ROLE, 5, "before").addConnects(key("2->10"))))
                        .getOperation()
                        .getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
        ApplyCircuitsRequest.Builder cut = apply("slow-1", ROLE, 5, "cut").addConnects(key("1->9"));
        CompletableFuture<ApplyCircuitsResponse> lost = beside(cut);
        awaitMoving("slow-1");
        assertThat(operation("slow-1", "cut").getOutcome()).isEqualTo(Outcome.OUTCOME_IN_PROGRESS);
        kill();
        assertThat(lost).failsWithin(Duration.ofSeconds(60));
        plant.pass();
        launch();
        assertThat(operation("slow-1", "before").getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> operation("slow-1", "cut").getOutcome() == Outcome.OUTCOME_APPLIED);
        assertThat(plant.truth("slow-1")).isEqualTo(List.of("1->9", "2->10"));
        assertThat(circuits().applyCircuits(cut.build()).getReplayed()).isTrue();
        StatusRuntimeException stale = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> circuits().applyCircuits(apply("slow-1", ROLE, 4, "late").build()));
        assertThat(errorInfo(stale).getReason()).isEqualTo("STALE_EPOCH");
    }

    @Test
    void whatMovesOnLongerThanItMayIsNotSaidToBeUnchanged() throws Exception {
        hold();
        CompletableFuture<ApplyCircuitsResponse> lost =
                beside(apply("slow-1", ROLE, 5, "cut").addConnects(key("1->9")));
        awaitMoving("slow-1");
        kill();
        assertThat(lost).failsWithin(Duration.ofSeconds(60));
        launch();
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> operation("slow-1", "cut").getOutcome() != Outcome.OUTCOME_IN_PROGRESS);
        Operation told = operation("slow-1", "cut");
        assertThat(told.getOutcome()).isEqualTo(Outcome.OUTCOME_PARTIAL);
        assertThat(told.getItems(0).getState()).isEqualTo(ItemState.ITEM_STATE_TUNING);
    }

    @Test
    void everyAnsweredOperationIsThereAfterTheKill() throws Exception {
        start(new EmulatedPlant(directory.resolve("unused")));
        for (int i = 1; i <= 8; i++) {
            circuits()
                    .applyCircuits(apply("ocs-1", ROLE, i, "op-" + i)
                            .addConnects(key(i + "->" + (i + 8)))
                            .build());
        }
        kill();
        launch();
        for (int i = 1; i <= 8; i++) {
            assertThat(operation("ocs-1", "op-" + i).getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
        }
        StatusRuntimeException stale = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> circuits().applyCircuits(apply("ocs-1", ROLE, 7, "late").build()));
        assertThat(errorInfo(stale).getMetadataMap()).containsEntry("stored_epoch", "8");
    }
}
