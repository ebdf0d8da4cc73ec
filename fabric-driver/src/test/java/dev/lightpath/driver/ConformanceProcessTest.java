package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.conformance.ConformanceKit;
import dev.lightpath.proto.emulator.v1alpha1.PortPair;
import dev.lightpath.proto.emulator.v1alpha1.SetConnectionsRequest;
import io.grpc.ManagedChannel;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kit's command line against a driver process that its restart command really kills. */
@Order(2)
final class ConformanceProcessTest {
    @TempDir
    private Path directory;

    private EmulatedPlant plant;
    private int port;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void start() throws Exception {
        plant = new EmulatedPlant(directory.resolve("unused"));
        port = QuietPort.find();
        Files.writeString(directory.resolve("driver.yaml"), """
                listen: 127.0.0.1:%d
                http: 127.0.0.1:0
                stateDirectory: state
                adapters: [{kind: emulator, endpoint: "127.0.0.1:%d"}]
                """.formatted(port, plant.emulatorPort()));
        Files.writeString(directory.resolve("restart"), """
                cd '%s'
                test -f pid && kill -9 $(cat pid)
                '%s' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp '%s' %s --config driver.yaml >>driver.log 2>&1 &
                echo $! >pid
                """.formatted(
                        directory,
                        Path.of(System.getProperty("java.home"), "bin", "java"),
                        System.getProperty("java.class.path"),
                        DriverServer.class.getName()));
        Process first = new ProcessBuilder("sh", directory.resolve("restart").toString()).start();
        assertThat(first.waitFor(60, TimeUnit.SECONDS)).isTrue();
        Awaitility.await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> {
            try (Socket driver = new Socket("127.0.0.1", port)) {
                return driver.isConnected();
            }
        });
        // on a busy machine it serves before the emulator has told it of its devices
        ManagedChannel channel = EmulatedPlant.channel(port);
        try {
            plant.awaitDevices(channel);
        } finally {
            channel.shutdownNow();
        }
    }

    @AfterEach
    void stop() throws Exception {
        ProcessHandle.of(Long.parseLong(
                        Files.readString(directory.resolve("pid")).strip()))
                .ifPresent(ProcessHandle::destroyForcibly);
        plant.close();
    }

    @Test
    void aLitDeviceIsRefusedUnlessAllowedAndThenLeftAlone() {
        var unused = plant.hardware()
                .setConnections(SetConnectionsRequest.newBuilder()
                        .setDeviceId("ocs-1")
                        .addConnects(PortPair.newBuilder().setIngress("1").setEgress("9"))
                        .build());
        assertThat(kit("--device", "ocs-1", "--only", "ports,scope")).isEqualTo(2);
        assertThat(err.toString()).startsWith("ocs-1 carries light (1->9)").hasLineCount(1);
        assertThat(kit("--device", "ocs-1", "--only", "ports,scope", "--allow-lit"))
                .as(() -> out + "\n" + err)
                .isZero();
        assertThat(plant.truth("ocs-1")).containsExactly("1->9");
    }

    @Test
    void anEndpointWhereNobodyListensIsOneLine() throws Exception {
        int nobody = QuietPort.find();
        int code = ConformanceKit.commandLine(new PrintWriter(out), new PrintWriter(err))
                .execute("--endpoint", "127.0.0.1:" + nobody, "--device", "ocs-1");
        assertThat(code).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("the driver cannot be used: UNAVAILABLE")
                .hasLineCount(1);
    }

    private int kit(String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--endpoint",
                "127.0.0.1:" + port,
                "--emulator",
                "127.0.0.1:" + plant.emulatorPort(),
                "--restart-command",
                "sh '" + directory.resolve("restart") + "'"));
        arguments.addAll(List.of(more));
        return ConformanceKit.commandLine(new PrintWriter(out), new PrintWriter(err))
                .execute(arguments.toArray(String[]::new));
    }

    @Test
    void aDriverThatIsReallyKilledConforms() {
        assertThat(kit(
                        "--device",
                        "ocs-1",
                        "--only",
                        "crash/o*,crash/remembers-operations,fencing,partial",
                        "--slow-client-seconds",
                        "0"))
                .as(() -> out + "\n" + err)
                .isZero();
        assertThat(out.toString())
                .contains("ok    crash/operation-under-way", " 0 failed, 0 skipped", "lightpath-fabric-driver");
        assertThat(plant.truth("ocs-1")).isEmpty();
    }

    @Test
    void aDeviceThatCannotBeUsedIsOneLine() {
        assertThat(kit("--device", "ocs-9")).isEqualTo(2);
        assertThat(err.toString())
                .isEqualToIgnoringNewLines(
                        "--device: the driver has no device 'ocs-9'; it has n0, n1, n2, n3, n4, n5, n6, n7, and its log"
                                + " says why a device cannot be used");
    }
}
