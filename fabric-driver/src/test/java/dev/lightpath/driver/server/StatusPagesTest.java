package dev.lightpath.driver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

final class StatusPagesTest {
    private static final int CONNECTIONS = 200;

    /** Whoever opens connections and does not finish a request holds few of them, and not for long. */
    @Test
    void unfinishedRequestsAreBounded() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        StatusPages.Answer answer = new StatusPages.Answer(200, "text/plain", "ok");
        try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
                StatusPages pages = new StatusPages(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        workers,
                        () -> answer,
                        () -> answer,
                        query -> answer)) {
            for (int i = 0; i < CONNECTIONS; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), pages.port());
                sockets.add(socket);
                try {
                    socket.getOutputStream().write("GET /health HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
                } catch (IOException refused) {
                    continue;
                }
            }
            assertThat(isEnded(sockets.getLast(), 20_000)).as("one too many").isTrue();
            assertThat(isEnded(sockets.getFirst(), 40_000))
                    .as("the first, which never ends its request")
                    .isTrue();
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    private static boolean isEnded(Socket socket, int patienceMillis) throws IOException {
        socket.setSoTimeout(patienceMillis);
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException open) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }
}
