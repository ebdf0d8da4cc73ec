package dev.lightpath.driver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.serving.pages.StatusPages;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

final class StatusPagesTest {
    private static final int CONNECTIONS = 200;
    /** The first byte of a connection with TLS. */
    private static final byte HANDSHAKE = 22;

    private static final StatusPages.Answer OK = new StatusPages.Answer(200, "text/plain", "ok");
    private static final List<StatusPages.Page> PAGES =
            List.of(StatusPages.Page.open("/health", request -> OK), StatusPages.Page.ours("/audit", request -> OK));

    /** Whoever opens connections and does not finish a request holds few of them, and not for long. */
    @Test
    void unfinishedRequestsAreBounded() throws Exception {
        areBounded("GET /health HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII), Optional.empty());
    }

    /** Nor does whoever does not finish to shake hands. */
    @Test
    void unfinishedHandshakesAreBounded() throws Exception {
        areBounded(
                new byte[] {HANDSHAKE},
                Optional.of(new StatusPages.Tls(SSLContext.getDefault(), session -> false, "nobody has")));
    }

    private static void areBounded(byte[] beginning, Optional<StatusPages.Tls> tls) throws Exception {
        List<Socket> sockets = new ArrayList<>();
        try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
                StatusPages pages = new StatusPages(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), workers, PAGES, tls)) {
            for (int i = 0; i < CONNECTIONS; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), pages.port());
                sockets.add(socket);
                try {
                    socket.getOutputStream().write(beginning);
                } catch (IOException refused) {
                    continue;
                }
            }
            assertThat(isEnded(sockets.getLast(), 20_000)).as("one too many").isTrue();
            assertThat(isEnded(sockets.getFirst(), 40_000))
                    .as("the first, which never ends what it began")
                    .isTrue();
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void whatIsNoRequestForAPageIsToldInOneLine() throws Exception {
        try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
                StatusPages pages = new StatusPages(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), workers, PAGES, Optional.empty())) {
            assertThat(said(pages, "GET /health HTTP/1.0\n\n"))
                    .startsWith("HTTP/1.1 200 ")
                    .endsWith("\r\n\r\nok");
            assertThat(said(pages, "HEAD /health HTTP/1.1\r\nHost: it\r\n\r\n"))
                    .contains("Content-Length: 2")
                    .endsWith("\r\n\r\n");
            assertThat(said(pages, "POST /health HTTP/1.1\r\n\r\n"))
                    .startsWith("HTTP/1.1 405 ")
                    .endsWith("allowed are GET and HEAD\n");
            assertThat(said(pages, "GET /healthy HTTP/1.1\r\n\r\n"))
                    .startsWith("HTTP/1.1 404 ")
                    .endsWith("no such page\n");
            for (String other :
                    List.of("GET health HTTP/1.1", "GET /health", "PRI * HTTP/2.0", "GET /health HTTP/1.1\r\n: x")) {
                assertThat(said(pages, other + "\r\n\r\n")).as(other).startsWith("HTTP/1.1 400 ");
            }
            String begun = "GET /health HTTP/1.1\r\nx: ";
            assertThat(said(pages, begun + "x".repeat((16 << 10) - begun.length())))
                    .endsWith("no request of HTTP/1.1, or one of more than 16 KiB\n");
        }
    }

    private static String said(StatusPages pages, String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), pages.port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    /** Who reaches the port from elsewhere may know how the driver is, and not what it did for whom. */
    @Test
    void theAuditLogIsForThisHostAlone() throws Exception {
        InetAddress outer = OuterAddress.ofThisHost();
        try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
                HttpClient client = HttpClient.newHttpClient();
                StatusPages pages =
                        new StatusPages(new InetSocketAddress("0.0.0.0", 0), workers, PAGES, Optional.empty())) {
            assertThat(get(client, "127.0.0.1", pages.port(), "/audit")).isEqualTo("200 ok");
            String outside = outer.getHostAddress();
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
