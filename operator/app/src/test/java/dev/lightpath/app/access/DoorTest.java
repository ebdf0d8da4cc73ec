package dev.lightpath.app.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A real HTTP server, and readers that read slowly or not at all. */
class DoorTest {
    private static final byte[] LARGE = new byte[32 << 20];

    private static final int MOST = 1 << 20;
    /** Who reads nothing for longer is sent away. */
    private static final Duration PATIENCE = Duration.ofSeconds(12);

    private final Vertx vertx = Vertx.vertx();
    private final List<Socket> sockets = new ArrayList<>();
    private HttpServer server;

    @BeforeEach
    void open() {
        Door door =
                new Door(request -> new Caller(request.request().getParam("as"), "", List.of(), Map.of()), PATIENCE);
        Router router = Router.router(vertx);
        router.get("/large").handler(request -> door.admit(request, caller -> new Paced(List.of(LARGE, LARGE))));
        router.get("/fails")
                .handler(request -> door.admit(request, caller -> {
                    throw new IllegalStateException("secret");
                }));
        router.get("/refuses")
                .handler(request -> door.admit(request, caller -> {
                    throw new Refused(403, "no");
                }));
        router.post("/body")
                .handler(request -> door.receive(
                        request,
                        MOST,
                        caller -> {
                            if (caller.name().equals("stranger")) {
                                throw new Refused(403, "no");
                            }
                        },
                        (caller, body) -> new Paced(List.of(body))));
        server = vertx.createHttpServer()
                .requestHandler(router)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    /** Asks, and reads no more than the first line. */
    private String slow(String as) throws IOException {
        return line("GET /large?as=" + as + " HTTP/1.1\r\nHost: h\r\n\r\n");
    }

    private String line(String request) throws IOException {
        Socket socket = new Socket();
        sockets.add(socket);
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress("127.0.0.1", server.actualPort()));
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        StringBuilder line = new StringBuilder();
        InputStream in = socket.getInputStream();
        for (int read = in.read(); read >= 0 && read != '\r'; read = in.read()) {
            line.append((char) read);
        }
        return line.toString();
    }

    private HttpResponse<byte[]> get(String path) throws IOException, InterruptedException {
        try (HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            return http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.actualPort() + path))
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
        }
    }

    private HttpResponse<byte[]> post(String as, byte[] body) throws IOException, InterruptedException {
        try (HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            return http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.actualPort() + "/body?as=" + as))
                            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
        }
    }

    @Test
    void aBodyOfTheMostBytesIsRead() throws Exception {
        byte[] body = new byte[MOST];
        new Random(7).nextBytes(body);
        HttpResponse<byte[]> answer = post("tenant", body);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo(body);
        assertThat(post("tenant", new byte[0]).statusCode()).isEqualTo(200);
    }

    /** None of these sends the body that it announces. */
    @Test
    void aBodyIsWaitedForWhenTheCallerIsAllowedAndNotForLong() throws Exception {
        String head = " HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000000\r\n\r\n";
        for (int i = 0; i < 10; i++) {
            assertThat(line("POST /body?as=stranger" + head)).contains(" 403 ");
        }
        assertThat(line("POST /body?as=tenant" + head + "x")).isEmpty();
        assertThat(post("tenant", new byte[1]).statusCode()).isEqualTo(200);
    }

    @Test
    void aBodyThatIsTooLargeIsRefusedBeforeItsEnd() throws Exception {
        String chunk = "10000\r\n" + "x".repeat(0x10000) + "\r\n";
        String head = "POST /body?as=tenant HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
        assertThat(line(head + chunk.repeat(17))).contains(" 413 ");
        assertThat(post("tenant", new byte[1]).statusCode()).isEqualTo(200);
    }

    @Test
    void fiftySlowReadersAreFewAtOnceAndAreSentAway() throws Exception {
        List<String> lines = new ArrayList<>();
        for (int reader = 0; reader < 50; reader++) {
            lines.add(slow("reader-" + reader));
        }
        assertThat(lines).filteredOn(line -> line.contains(" 200 ")).hasSize(Door.MOST_ANSWERS);
        assertThat(lines).filteredOn(line -> line.contains(" 429 ")).hasSize(50 - Door.MOST_ANSWERS);
        HttpResponse<byte[]> refused = get("/large?as=quick");
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");

        await("the slow ones are sent away").atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            HttpResponse<byte[]> answered = get("/large?as=quick");
            assertThat(answered.statusCode()).isEqualTo(200);
            assertThat(answered.body()).hasSize(2 * LARGE.length);
        });
    }

    @Test
    void oneCallerLeavesTurnsToOthers() throws Exception {
        List<String> lines = new ArrayList<>();
        for (int reader = 0; reader < 10; reader++) {
            lines.add(slow("greedy"));
        }
        assertThat(lines).filteredOn(line -> line.contains(" 200 ")).hasSize(Door.MOST_ANSWERS_FOR_ONE);
        assertThat(get("/large?as=other").statusCode()).isEqualTo(200);
    }

    @Test
    void aReaderWhoLeavesGivesItsTurnBack() throws Exception {
        for (int round = 0; round < 3 * Door.MOST_ANSWERS; round++) {
            Socket before = sockets.isEmpty() ? null : sockets.getLast();
            if (before != null) {
                before.setSoLinger(true, 0);
                before.close();
            }
            await().atMost(PATIENCE.dividedBy(2)).until(() -> slow("leaver").contains(" 200 "));
        }
    }

    @Test
    void turnsComeBackFromWhatFailsAndIsRefused() throws Exception {
        for (int round = 0; round < 3 * Door.MOST_ANSWERS; round++) {
            HttpResponse<byte[]> failed = get("/fails?as=a");
            assertThat(failed.statusCode()).isEqualTo(500);
            assertThat(new String(failed.body(), StandardCharsets.UTF_8)).doesNotContain("secret");
            HttpResponse<byte[]> refused = get("/refuses?as=a");
            assertThat(refused.statusCode()).isEqualTo(403);
            assertThat(new String(refused.body(), StandardCharsets.UTF_8)).isEqualTo("no\n");
        }
        assertThat(get("/large?as=a").statusCode()).isEqualTo(200);
    }
}
