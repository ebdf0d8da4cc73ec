package dev.lightpath.driver;

import static dev.lightpath.driver.Requests.apply;
import static dev.lightpath.driver.Requests.errorInfo;
import static dev.lightpath.driver.Requests.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc.CircuitServiceBlockingStub;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.TelemetryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse.EventCase;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A driver whose disk fills up: it refuses changes, serves all else, and goes on when there is room again. */
final class FullDiskTest {
    private static final String ROLE = "r";
    private static final String DEVICE = "ocs-1";
    private static final Pattern PORTS = Pattern.compile("port=(\\d+) http=(\\d+) ");
    private static final Pattern TRIED_AGAIN =
            Pattern.compile("lightpath_driver_journal_compactions_failed_total [1-9]");
    /** The last page of a file has room for some changes after the disk is full. */
    private static final int CHANGES_UNTIL_FULL = 200;

    @TempDir
    private Path directory;

    private EmulatedPlant plant;
    private SmallDisk disk;
    private Process process;
    private ManagedChannel channel;
    private int http;

    @BeforeEach
    void start() throws Exception {
        plant = new EmulatedPlant(directory.resolve("unused"));
        disk = new SmallDisk(directory.resolve("disk"));
        Path config = Files.writeString(directory.resolve("driver.yaml"), """
                listen: 127.0.0.1:0
                http: 127.0.0.1:0
                stateDirectory: disk/state
                adapters: [{kind: emulator, endpoint: "127.0.0.1:%d"}]
                """.formatted(plant.emulatorPort()));
        process = disk.process(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:-UsePerfData",
                        "-cp",
                        System.getProperty("java.class.path"),
                        DriverServer.class.getName(),
                        "--config",
                        config.toString()))
                .start();
        BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        Matcher ports = PORTS.matcher(SmallDisk.until(lines, PORTS));
        assertThat(ports.find()).isTrue();
        Thread.startVirtualThread(() -> lines.lines().forEach(System.out::println));
        channel = EmulatedPlant.channel(Integer.parseInt(ports.group(1)));
        http = Integer.parseInt(ports.group(2));
        plant.awaitDevices(channel);
    }

    @AfterEach
    void stop() throws Exception {
        channel.shutdownNow();
        process.destroyForcibly();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        plant.close();
    }

    private CircuitServiceBlockingStub circuits() {
        return CircuitServiceGrpc.newBlockingStub(channel).withDeadlineAfter(30, TimeUnit.SECONDS);
    }

    private Operation operation(String id) {
        return circuits()
                .getOperation(GetOperationRequest.newBuilder()
                        .setDeviceId(DEVICE)
                        .setRole(ROLE)
                        .setOperationId(id)
                        .build())
                .getOperation();
    }

    private Operation change(String id, String makes, String breaks) {
        return circuits()
                .applyCircuits(apply(DEVICE, ROLE, 1, id)
                        .addConnects(key(makes))
                        .addDisconnects(key(breaks))
                        .build())
                .getOperation();
    }

    private HttpResponse<String> page(String path) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + http + path))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    /** Name of the change that could not be kept. */
    private String changeUntilRefused() {
        for (int i = 0; i < CHANGES_UNTIL_FULL; i++) {
            String makes = i % 2 == 0 ? "1->18" : "1->17";
            String breaks = i % 2 == 0 ? "1->17" : "1->18";
            try {
                change("filling-" + i, makes, breaks);
            } catch (StatusRuntimeException refused) {
                assertThat(refused.getMessage()).contains("cannot write its stateDirectory");
                return "filling-" + i;
            }
        }
        throw new AssertionError("the disk is not full");
    }

    @Test
    void aFullDiskRefusesChangesAndNothingElseAndRoomEndsThatWithoutARestart() throws Exception {
        var unused = circuits()
                .applyCircuits(apply(DEVICE, ROLE, 1, "before")
                        .addConnects(key("1->17"))
                        .build());
        assertThat(page("/health").body()).isEqualTo("ok\n");
        try (Watching watching =
                Watching.start(TelemetryServiceGrpc.newStub(channel), WatchRequest.getDefaultInstance())) {
            watching.await(EventCase.SYNCED);
            disk.fill(process);
            String lost = changeUntilRefused();

            List<String> light = plant.truth(DEVICE);
            for (String makes : List.of("2->20", "3->21")) {
                assertThat(refusal(makes)).isEqualTo("STATE_NOT_WRITABLE");
            }
            assertThat(plant.truth(DEVICE)).as("refused changes move nothing").isEqualTo(light);

            assertThat(page("/live").statusCode()).isEqualTo(200);
            assertThat(page("/health").statusCode()).isEqualTo(503);
            assertThat(page("/health").body()).contains("changes are refused").hasLineCount(1);
            assertThat(page("/metrics").body()).contains("lightpath_driver_journal_failed 1.0");

            assertThat(operation("before").getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
            assertThat(circuits()
                            .getCircuits(GetCircuitsRequest.newBuilder()
                                    .addDevices(DeviceScope.newBuilder().setDeviceId(DEVICE))
                                    .build())
                            .getDevices(0)
                            .getCircuitsCount())
                    .isEqualTo(light.size());
            plant.inject(
                    InjectFaultRequest.newBuilder().setDeviceId("ocs-2").setKind(FaultKind.FAULT_KIND_UNREACHABLE));
            watching.await(m -> m.getEventCase() == EventCase.AVAILABILITY_CHANGED
                    && m.getAvailabilityChanged().getDeviceId().equals("ocs-2"));

            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> TRIED_AGAIN.matcher(page("/metrics").body()).find());
            disk.free(process);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> page("/health").statusCode() == 200);
            assertThat(page("/metrics").body()).contains("lightpath_driver_journal_failed 0.0");
            assertThat(circuits()
                            .applyCircuits(apply(DEVICE, ROLE, 1, "after")
                                    .addConnects(key("2->20"))
                                    .build())
                            .getOperation()
                            .getOutcome())
                    .isEqualTo(Outcome.OUTCOME_APPLIED);
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> isOver(lost));
        }
    }

    private boolean isOver(String id) {
        try {
            return operation(id).getOutcome() != Outcome.OUTCOME_IN_PROGRESS;
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode() == Status.Code.NOT_FOUND;
        }
    }

    private String refusal(String makes) {
        try {
            return circuits()
                    .applyCircuits(apply(DEVICE, ROLE, 1, "refused-" + makes)
                            .addConnects(key(makes))
                            .build())
                    .getOperation()
                    .getOutcome()
                    .name();
        } catch (StatusRuntimeException refused) {
            assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            return errorInfo(refused).getReason();
        }
    }
}
