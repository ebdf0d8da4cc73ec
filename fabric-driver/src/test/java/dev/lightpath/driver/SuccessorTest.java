package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.proto.driver.v1alpha1.GetDriverInfoRequest;
import dev.lightpath.proto.driver.v1alpha1.GetDriverInfoResponse;
import dev.lightpath.proto.driver.v1alpha1.IdentityServiceGrpc;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two driver processes with one state directory, as when a pod is started elsewhere before the old one is known to be
 * gone.
 */
final class SuccessorTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    private EmulatedPlant plant;
    private final List<Process> processes = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        plant = new EmulatedPlant(directory.resolve("unused"));
    }

    @AfterEach
    void stop() throws Exception {
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
        plant.close();
    }

    private Process driver(String name, int port) throws IOException {
        Path config = Files.writeString(directory.resolve(name + ".yaml"), """
                listen: 127.0.0.1:%d
                http: 127.0.0.1:0
                stateDirectory: %s
                adapters: [{kind: emulator, endpoint: "127.0.0.1:%d"}]
                """.formatted(
                        port, directory.resolve("state"), plant.emulatorPort()));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        DriverServer.class.getName(),
                        "--config",
                        config.toString())
                .redirectErrorStream(true)
                .redirectOutput(log(name).toFile())
                .start();
        processes.add(process);
        return process;
    }

    private Path log(String name) {
        return directory.resolve(name + ".log");
    }

    private static GetDriverInfoResponse awaitServing(int port) {
        ManagedChannel channel = EmulatedPlant.channel(port);
        try {
            return Awaitility.await()
                    .atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(
                            () -> IdentityServiceGrpc.newBlockingStub(channel)
                                    .withDeadlineAfter(5, TimeUnit.SECONDS)
                                    .getDriverInfo(GetDriverInfoRequest.getDefaultInstance()),
                            info -> true);
        } finally {
            channel.shutdownNow();
        }
    }

    @Test
    void theSecondServesWhenTheFirstIsKilledAndNotBefore() throws Exception {
        int one = QuietPort.find();
        int two = QuietPort.find();
        Process first = driver("first", one);
        GetDriverInfoResponse before = awaitServing(one);
        Process second = driver("second", two);
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> Files.readString(log("second"))
                        .contains(
                                "another driver server has this stateDirectory open; waiting up to 90 s for its end"));
        assertThat(second.isAlive()).isTrue();
        assertThat(Files.readString(log("second"))).doesNotContain("driver serves");

        first.destroyForcibly().waitFor();

        GetDriverInfoResponse after = awaitServing(two);
        assertThat(after.getInstanceId()).isEqualTo(before.getInstanceId());
        assertThat(after.getBootId()).isNotEqualTo(before.getBootId());
    }
}
