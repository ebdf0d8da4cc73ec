package dev.lightpath.driver.openflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class ReceptionTest {
    private static final Duration PATIENCE = Duration.ofMillis(500);

    /** A header that announces 65 535 bytes. */
    private static final byte[] LONG_HELLO = {5, 0, -1, -1, 0, 0, 0, 1};

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    /** There is place for some strangers only: one that says a little again and again must not keep it. */
    @Test
    @Timeout(60)
    void whoNeverSaysWhoItIsIsSentAwayThoughItGoesOnTalking() throws Exception {
        int port = freePort();
        try (ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor();
                Reception reception = new Reception("127.0.0.1", port, new ServerSocket(), timers, Map.of(), PATIENCE);
                Socket stranger = new Socket("127.0.0.1", port)) {
            stranger.setSoTimeout(50);
            stranger.getOutputStream().write(LONG_HELLO);
            assertThat(isSentAway(stranger)).as("by %s", reception).isTrue();
        }
    }

    /** As where a process has no file descriptor left: the next attempt fails at once too. */
    @Test
    void whereNoConnectionCanBeTakenItIsNotTriedWithoutAPause() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        ServerSocket exhausted = new ServerSocket() {
            @Override
            public Socket accept() throws IOException {
                attempts.incrementAndGet();
                throw new IOException("Too many open files");
            }
        };
        try (ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor();
                Reception reception = new Reception("127.0.0.1", 0, exhausted, timers, Map.of(), PATIENCE)) {
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> attempts.get() >= 3);
            assertThat(attempts).as("by %s", reception).hasValueLessThan(1000);
        }
    }

    private static void say(Socket stranger) {
        try {
            stranger.getOutputStream().write(0);
        } catch (IOException broken) {
            // the next reading says so
        }
    }

    /** Says a byte after each time without an answer. */
    private static boolean isSentAway(Socket stranger) throws IOException {
        InputStream answers = stranger.getInputStream();
        while (true) {
            try {
                if (answers.read() < 0) {
                    return true;
                }
            } catch (SocketTimeoutException nothing) {
                say(stranger);
            } catch (IOException broken) {
                return true;
            }
        }
    }
}
