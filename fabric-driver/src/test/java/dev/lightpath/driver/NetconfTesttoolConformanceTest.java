package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.AdapterConfig.NetconfDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestFactory;

/** The NETCONF adapter before a server of others: OpenDaylight's netconf-testtool, with its real datastore. */
@Order(1)
final class NetconfTesttoolConformanceTest extends ServerConformance {
    private static final Path JAR = Path.of("target/netconf-testtool/netconf-testtool.jar");

    private Process server;
    private JudgedDriver judged;

    @BeforeEach
    void start() throws Exception {
        if (!Files.isReadable(JAR)) {
            abort("not judged: netconf-testtool, because " + JAR + " is not there; Maven copies it");
        }
        int port = QuietPort.find();
        serve(port);
        String hostKey = hostKey(port);
        CutProxy way = open(new CutProxy(port));
        Ncclient client = open(new Ncclient(port, "any"));
        NetconfHardware hardware = new NetconfHardware(client, () -> server, way, false);
        hardware.install();
        Path password = Files.writeString(directory.resolve("password"), "any");
        NetconfDevice device = new NetconfDevice(
                "testtool",
                "127.0.0.1",
                way.port(),
                "any",
                Optional.of(password),
                Optional.empty(),
                hostKey,
                "16xCC",
                "",
                Duration.ofSeconds(1));
        judged = judged(new AdapterConfig.NetconfPolatis(List.of(device)), device.id(), hardware, client::light);
    }

    private void serve(int port) throws IOException {
        server = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx256m",
                        "-jar",
                        JAR.toAbsolutePath().toString(),
                        "--ip",
                        "127.0.0.1",
                        "--starting-port",
                        Integer.toString(port),
                        "--device-count",
                        "1",
                        "--md-sal",
                        "true",
                        "--exi",
                        "false",
                        "--schemas-dir",
                        Path.of("src/test/yang").toAbsolutePath().toString())
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("testtool.log").toFile())
                .start();
        open(() -> {
            server.destroyForcibly();
            server.waitFor();
        });
    }

    /** As an administrator would ask ssh-keyscan. */
    private static String hostKey(int port) {
        AtomicReference<String> shown = new AtomicReference<>("");
        try (SshClient client = SshClient.setUpDefaultClient()) {
            client.setServerKeyVerifier((session, address, key) -> {
                shown.set(KeyUtils.getFingerPrint(key));
                return false;
            });
            client.start();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(90))
                    .pollInterval(Duration.ofMillis(500))
                    .ignoreExceptions()
                    .until(() -> {
                        try (var session = client.connect("any", "127.0.0.1", port)
                                .verify(Duration.ofSeconds(5))
                                .getSession()) {
                            var unused = session.auth().await(Duration.ofSeconds(5));
                        }
                        return !shown.get().isEmpty();
                    });
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        assertThat(shown.get()).startsWith("SHA256:");
        return shown.get();
    }

    @TestFactory
    Stream<DynamicTest> conforms() {
        return judged.meetsAllBut(with(BEYOND_ANY, "ports/wrong-side"));
    }
}
