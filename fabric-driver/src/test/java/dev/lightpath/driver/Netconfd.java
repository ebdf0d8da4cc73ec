package dev.lightpath.driver;

import static org.junit.jupiter.api.Assumptions.abort;

import dev.lightpath.driver.config.AdapterConfig.NetconfDevice;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.channel.ChannelSession;
import org.awaitility.Awaitility;

/**
 * A NETCONF server of others, as a switch of 8x8 ports: yuma123's netconfd, which writes straight into running. Any
 * user may change it.
 */
final class Netconfd implements AutoCloseable {
    private static final Path NETCONFD = Path.of("/usr/sbin/netconfd");
    private static final Path SUBSYSTEM = Path.of("/usr/sbin/netconf-subsystem");
    private static final Path MODULES = Path.of("/usr/share/yuma/modules");

    private final Path directory;
    private final Path socket;
    private final SshNetconf ssh;
    private Process process;

    /** Starts it. The test is aborted, and says so, where it is not installed. */
    Netconfd(Path directory) throws Exception {
        if (!Files.isExecutable(NETCONFD) || !Files.isExecutable(SUBSYSTEM)) {
            abort("not judged: netconfd, because " + NETCONFD + " is not there; Debian has it as package netconfd");
        }
        this.directory = directory;
        this.socket = directory.resolve("s");
        start();
        ssh = new SshNetconf(
                password -> true,
                Optional.of(
                        channel -> new Subsystem(socket, channel.getSession().getUsername())));
    }

    private void start() throws IOException {
        Files.deleteIfExists(socket);
        ProcessBuilder builder = new ProcessBuilder(
                        NETCONFD.toString(),
                        "--modpath=" + Path.of("src/test/yang").toAbsolutePath() + ":" + MODULES,
                        "--module=optical-switch",
                        "--no-startup",
                        "--access-control=off",
                        "--target=running",
                        "--ncxserver-sockname=" + socket,
                        "--log=" + directory.resolve("netconfd.log"))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        // where it keeps the number of its last change: two that share it end each other's start
        builder.environment().put("HOME", directory.toString());
        process = builder.start();
        Awaitility.await().atMost(Duration.ofSeconds(120)).until(() -> Files.exists(socket) || !process.isAlive());
        if (!process.isAlive()) {
            throw new IllegalStateException("netconfd ended: " + Files.readString(directory.resolve("netconfd.log")));
        }
    }

    /** Kills it and starts it again: it is as it was at first. */
    void restart() throws IOException, InterruptedException {
        process.destroyForcibly();
        process.waitFor();
        start();
    }

    int port() {
        return ssh.port();
    }

    Process process() {
        return process;
    }

    /** @param port of a way to it */
    NetconfDevice device(int port, Duration poll) throws IOException {
        return ssh.device(directory, "netconfd", port, "root", "any", "8x8", poll);
    }

    /** What OpenSSH would start for a session. */
    private static final class Subsystem extends SshNetconf.Session {
        private final Path socket;
        private final String user;
        private Process process;

        Subsystem(Path socket, String user) {
            this.socket = socket;
            this.user = user;
        }

        @Override
        public void start(ChannelSession channel, Environment environment) throws IOException {
            ProcessBuilder builder = new ProcessBuilder(SUBSYSTEM.toString(), "--ncxserver-sockname=830@" + socket);
            builder.environment().put("SSH_CONNECTION", "127.0.0.1 1 127.0.0.1 830");
            builder.environment().put("USER", user);
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

    @Override
    public void close() throws IOException, InterruptedException {
        ssh.close();
        process.destroyForcibly();
        process.waitFor();
    }
}
