package dev.lightpath.driver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

final class StatusPagesTest {
    private static final int CONNECTIONS = 200;
    private static final StatusPages.Answer OK = new StatusPages.Answer(200, "text/plain", "ok");
    private static final List<StatusPages.Page> PAGES =
            List.of(StatusPages.Page.open("/health", request -> OK), StatusPages.Page.ours("/audit", request -> OK));

    /** Whoever opens connections and does not finish a request holds few of them, and not for long. */
    @Test
    void unfinishedRequestsAreBounded() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
                StatusPages pages =
                        new StatusPages(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), workers, PAGES)) {
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

    /** Who reaches the port from elsewhere may know how the driver is, and not what it did for whom. */
    @Test
    void theAuditLogIsForThisHostAlone() throws Exception {
        Optional<InetAddress> outer = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(each -> each instanceof Inet4Address && !each.isLoopbackAddress())
                .findFirst();
        assumeTrue(outer.isPresent(), "this host has no other address than its loopback");
        try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
                HttpClient client = HttpClient.newHttpClient();
                StatusPages pages = new StatusPages(new InetSocketAddress("0.0.0.0", 0), workers, PAGES)) {
            assertThat(get(client, "127.0.0.1", pages.port(), "/audit")).isEqualTo("200 ok");
            String outside = outer.get().getHostAddress();
            assertThat(get(client, outside, pages.port(), "/health")).isEqualTo("200 ok");
            assertThat(get(client, outside, pages.port(), "/audit?lines=1"))
                    .isEqualTo("403 /audit is for callers on this host, as by kubectl port-forward\n");
        }
    }

    private static String get(HttpClient client, String host, int port, String path) throws Exception {
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create("http://" + host + ":" + port + path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.body();
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
