package dev.lightpath.app.agreeing;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.lightpath.app.whole.Installation;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HookCallTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final String SAID = "words of a stranger";

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void serve(HttpHandler handler) {
        server.createContext("/", exchange -> {
            asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("Authorization") + " "
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            handler.handle(exchange);
        });
    }

    private static void answer(HttpExchange exchange, int code) throws IOException {
        byte[] bytes = code == 204 ? new byte[0] : SAID.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    private static HookAnswer ask(int port, Duration patience) throws InterruptedException {
        return new HookCall(patience, () -> NOW)
                .ask(
                        InetAddress.getLoopbackAddress(),
                        new HookQuestion(
                                "team", "llm", "llm-ring-1", 2, "llm-0", "n0", port, "/light", "{\"revision\":2}"));
    }

    private HookAnswer ask() throws InterruptedException {
        return ask(server.getAddress().getPort(), Duration.ofSeconds(60));
    }

    private static String failure(HookAnswer answer) {
        assertThat(answer).isInstanceOf(HookAnswer.Failed.class);
        String why = ((HookAnswer.Failed) answer).why();
        assertThat(why).doesNotContain(SAID).hasLineCount(1);
        return why;
    }

    @Test
    void postsTheAnnouncementAndTakes200ForAnAgreement() throws InterruptedException {
        serve(exchange -> answer(exchange, 200));
        assertThat(ask()).isEqualTo(new HookAnswer.Agreed(NOW));
        assertThat(asked).containsExactly("POST /light null {\"revision\":2}");
    }

    @ParameterizedTest
    @ValueSource(ints = {202, 204})
    void takesAPodThatHasHeardForOneThatIsNotReady(int code) throws InterruptedException {
        serve(exchange -> answer(exchange, code));
        assertThat(ask()).isEqualTo(new HookAnswer.Waits());
    }

    @ParameterizedTest
    @CsvSource({"201", "400", "404", "500", "503"})
    void takesNothingElseForAnAnswer(int code) throws InterruptedException {
        serve(exchange -> answer(exchange, code));
        assertThat(failure(ask()))
                .isEqualTo("it answered HTTP " + code + "; allowed: 200 (agreed), 202 and 204 (not ready yet)");
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void followsNoRedirect(int code) throws InterruptedException {
        serve(exchange -> {
            exchange.getResponseHeaders()
                    .set("Location", "http://127.0.0.1:" + server.getAddress().getPort() + "/elsewhere");
            answer(exchange, code);
        });
        assertThat(failure(ask())).isEqualTo("it answered HTTP " + code + "; redirects are not followed");
        assertThat(asked).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void readsNoMoreThanTheMostOf100Megabytes(boolean announcedLength) throws InterruptedException {
        serve(exchange -> {
            exchange.sendResponseHeaders(200, announcedLength ? 100L << 20 : 0);
            try (OutputStream out = exchange.getResponseBody()) {
                byte[] blanks = " ".repeat(1 << 16).getBytes(StandardCharsets.US_ASCII);
                for (int i = 0; i < 100 << 4; i++) {
                    out.write(blanks);
                }
            }
        });
        assertThat(failure(ask())).isEqualTo("its answer is larger than 4096 bytes");
    }

    @Test
    void waitsForNoAnswerThatComesDropByDrop() throws InterruptedException {
        serve(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            try {
                while (true) {
                    out.write(' ');
                    out.flush();
                    Thread.sleep(100);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        assertThat(failure(ask(server.getAddress().getPort(), Duration.ofSeconds(2))))
                .isEqualTo("it gave no whole answer within 2 s");
    }

    @Test
    void waitsForNoPodThatSaysNothing() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(failure(ask(silent.getLocalPort(), Duration.ofSeconds(1))))
                    .isEqualTo("it gave no whole answer within 1 s");
        }
    }

    @Test
    void saysThatNobodyListens() throws Exception {
        int port = Installation.quietPort();
        assertThat(failure(ask(port, Duration.ofSeconds(60))))
                .isEqualTo("nobody listens at port " + port + ", or a NetworkPolicy keeps the operator from it");
    }
}
