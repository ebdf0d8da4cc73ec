package dev.lightpath.driver.openflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.driver.Certificates;
import dev.lightpath.serving.tls.TlsFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The end of a connection by TLS, which has a last word to say. */
final class SecuredConnectionTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final byte[] HELLO = {5, Message.HELLO, 0, 8, 0, 0, 0, 0};

    @TempDir
    private Path directory;

    /** The writing that hangs holds what the last word needs: who ends the connection must not wait for it. */
    @Test
    void aDeviceThatDoesNotReadIsGivenUp() throws Exception {
        Certificates certificates = new Certificates(directory);
        certificates.issue("both", "dns:localhost,ip:127.0.0.1");
        try (ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor();
                ServerSocket server = context(certificates, timers)
                        .getServerSocketFactory()
                        .createServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket device = context(certificates, timers)
                        .getSocketFactory()
                        .createSocket("127.0.0.1", server.getLocalPort())) {
            Connection connection = new Connection(server.accept());
            AtomicBoolean ended = new AtomicBoolean();
            connection.listen(message -> {
                if (connection.isOver()) {
                    ended.set(true);
                }
            });
            Thread.ofVirtual().start(() -> flood(device));
            connection.begin(PATIENCE);
            Awaitility.await().atMost(Duration.ofSeconds(60)).untilTrue(ended);
            assertThat(connection.why()).contains("the device does not read what it is sent");
        }
    }

    private static SSLContext context(Certificates certificates, ScheduledExecutorService timers) throws Exception {
        return TlsFiles.context(
                certificates.path("both.crt"), certificates.path("both.key"), certificates.path("ca.crt"), timers);
    }

    private static void flood(Socket device) {
        try {
            OutputStream out = device.getOutputStream();
            out.write(HELLO);
            byte[] echo = new Message(5, Message.ECHO_REQUEST, 1, new byte[65_000]).bytes();
            while (true) {
                out.write(echo);
            }
        } catch (IOException ended) {
            // as it should be
        }
    }
}
