package dev.lightpath.driver;

import static org.junit.jupiter.api.Assumptions.abort;

import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.AdapterConfig.NetconfDevice;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;
import org.apache.sshd.server.subsystem.SubsystemFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The NETCONF adapter before a server of others: yuma123's netconfd, which writes straight into running. */
@Order(1)
final class NetconfNetconfdConformanceTest {
    private static final Path NETCONFD = Path.of("/usr/sbin/netconfd");
    private static final Path SUBSYSTEM = Path.of("/usr/sbin/netconf-subsystem");
    private static final Path MODULES = Path.of("/usr/share/yuma/modules");

    @TempDir
    private Path directory;

    private Process server;
    private SshServer ssh;
    private CutProxy way;
    private Ncclient client;
    private JudgedDriver judged;

    @BeforeEach
    void start() throws Exception {
        if (!Files.isExecutable(NETCONFD) || !Files.isExecutable(SUBSYSTEM)) {
            abort("not judged: netconfd, because " + NETCONFD + " is not there; Debian has it as package netconfd");
        }
        Path socket = serve();
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(256);
        KeyPair key = generator.generateKeyPair();
        ssh = SshServer.setUpDefaultServer();
        ssh.setHost("127.0.0.1");
        ssh.setKeyPairProvider(KeyPairProvider.wrap(key));
        ssh.setPasswordAuthenticator((user, password, session) -> true);
        ssh.setSubsystemFactories(List.of(new SubsystemFactory() {
            @Override
            public String getName() {
                return "netconf";
            }

            @Override
            public Command createSubsystem(ChannelSession channel) {
                return new Subsystem(socket);
            }
        }));
        ssh.start();
        way = new CutProxy(ssh.getPort());
        client = new Ncclient(ssh.getPort(), "root");
        NetconfHardware hardware = new NetconfHardware(client, () -> server, way, true);
        hardware.install();
        NetconfDevice device = new NetconfDevice(
                "netconfd",
                "127.0.0.1",
                way.port(),
                "root",
                Optional.of(Files.writeString(directory.resolve("password"), "any")),
                Optional.empty(),
                KeyUtils.getFingerPrint(key.getPublic()),
                "8x8",
                "",
                Duration.ofSeconds(1));
        judged = new JudgedDriver(
                directory.resolve("state"),
                new AdapterConfig.NetconfPolatis(List.of(device)),
                device.id(),
                Optional.of(new ServerFaults(hardware)),
                client::light);
    }

    /** Where it listens. */
    private Path serve() throws IOException {
        Path socket = directory.resolve("s");
        Files.deleteIfExists(socket);
        server = new ProcessBuilder(
                        NETCONFD.toString(),
                        "--modpath=" + Path.of("src/test/yang").toAbsolutePath() + ":" + MODULES,
                        "--module=optical-switch",
                        "--no-startup",
                        "--superuser=root",
                        "--target=running",
                        "--ncxserver-sockname=" + socket,
                        "--log=" + directory.resolve("netconfd.log"))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(socket));
        return socket;
    }

    /** What OpenSSH would start for a session. */
    private static final class Subsystem implements Command {
        private final Path socket;
        private InputStream in = InputStream.nullInputStream();
        private OutputStream out = OutputStream.nullOutputStream();
        private ExitCallback exit;
        private Process process;

        Subsystem(Path socket) {
            this.socket = socket;
        }

        @Override
        public void setInputStream(InputStream stream) {
            in = stream;
        }

        @Override
        public void setOutputStream(OutputStream stream) {
            out = stream;
        }

        @Override
        public void setErrorStream(OutputStream stream) {}

        @Override
        public void setExitCallback(ExitCallback callback) {
            exit = callback;
        }

        @Override
        public void start(ChannelSession channel, Environment environment) throws IOException {
            ProcessBuilder builder = new ProcessBuilder(SUBSYSTEM.toString(), "--ncxserver-sockname=830@" + socket);
            builder.environment().put("SSH_CONNECTION", "127.0.0.1 1 127.0.0.1 830");
            builder.environment().put("USER", "root");
            process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
            Thread.ofVirtual().start(() -> pump(in, process.getOutputStream()));
            Thread.ofVirtual().start(() -> {
                pump(process.getInputStream(), out);
                exit.onExit(0);
            });
        }

        private static void pump(InputStream from, OutputStream to) {
            try (to) {
                byte[] bytes = new byte[1 << 13];
                for (int size = from.read(bytes); size >= 0; size = from.read(bytes)) {
                    to.write(bytes, 0, size);
                    to.flush();
                }
            } catch (IOException e) {
                // one side is gone
            }
        }

        @Override
        public void destroy(ChannelSession channel) {
            process.destroyForcibly();
        }
    }

    @AfterEach
    void stop() throws Exception {
        if (judged != null) {
            judged.close();
        }
        if (client != null) {
            client.close();
        }
        if (way != null) {
            way.close();
        }
        if (ssh != null) {
            ssh.stop(true);
        }
        if (server != null) {
            server.destroyForcibly();
            server.waitFor();
        }
    }

    @Test
    void missesTheCircuitsOfAServerThatWasKilled() throws Exception {
        judged.missesWhatWentWith(() -> {
            server.destroyForcibly();
            server.waitFor();
            var unused = serve();
        });
    }

    @TestFactory
    Stream<DynamicTest> conforms() {
        return judged.meetsAllBut(Set.of(
                "inventory/factory-loss",
                "circuits/bytewise",
                "conflict/power-on-position",
                // its circuits have no state
                "operations/tuning",
                "ports/both-ways-in-a-request",
                "ports/both-ways-in-use",
                "ports/itself",
                "limits/batch"));
    }
}
