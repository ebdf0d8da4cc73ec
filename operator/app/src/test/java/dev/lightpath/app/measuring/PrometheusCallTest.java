package dev.lightpath.app.measuring;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.lightpath.app.driver.TestIdentity;
import dev.lightpath.app.whole.Installation;
import dev.lightpath.crds.fabric.measurement.PrometheusQuery;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrometheusCallTest {
    private static final String VECTOR = """
            {"status": "success", "data": {"resultType": "vector", "result": [
             {"metric": {"namespace": "team", "job_name": "llm"}, "value": [1790000000.1, "0.574"]}]}}""";

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
                    + exchange.getRequestHeaders().getFirst("Authorization"));
            handler.handle(exchange);
        });
    }

    private static void answer(HttpExchange exchange, int code, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(code, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    private String here() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private static QueryAnswer ask(String url, Access access, Duration patience) throws InterruptedException {
        return new PrometheusCall(patience)
                .ask(new PrometheusQuery(url, "avg by (namespace, job_name) (x{a=\"b\"})", null, null, null), access);
    }

    private static String failure(String url) throws InterruptedException {
        return failure(url, Duration.ofSeconds(60));
    }

    private static String failure(String url, Duration patience) throws InterruptedException {
        return ((QueryAnswer.Failed) ask(url, Access.PLAIN, patience)).why();
    }

    @Test
    void asksBelowThePathOfTheUrl() throws InterruptedException {
        serve(exchange -> answer(exchange, 200, VECTOR));
        for (String url : List.of(here(), here() + "/team/prometheus", here() + "/team/prometheus/")) {
            assertThat(ask(url, new Access(Optional.of("abc.def"), Optional.empty()), Duration.ofSeconds(60)))
                    .isEqualTo(new QueryAnswer.Times(Map.of(new JobName("team", "llm"), "0.574")));
        }
        String query = "api/v1/query?query=avg+by+%28namespace%2C+job_name%29+%28x%7Ba%3D%22b%22%7D%29 Bearer abc.def";
        assertThat(asked)
                .containsExactly("GET /" + query, "GET /team/prometheus/" + query, "GET /team/prometheus/" + query);
    }

    @Test
    void sendsNoTokenWhereThereIsNone() throws InterruptedException {
        serve(exchange -> answer(exchange, 200, VECTOR));
        ask(here(), Access.PLAIN, Duration.ofSeconds(60));
        assertThat(asked).singleElement().asString().endsWith(" null");
    }

    @Test
    void followsNoRedirect() throws InterruptedException {
        serve(exchange -> {
            exchange.getResponseHeaders().set("Location", "/elsewhere");
            answer(exchange, 302, VECTOR);
        });
        assertThat(failure(here())).isEqualTo("HTTP 302: redirects are not followed; name where they lead");
        assertThat(asked).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "400|HTTP 400: the query is refused; try it there",
                "401|HTTP 401: the operator is not let in; name a Secret with a token in secretName",
                "404|HTTP 404: there is no api/v1/query below the url",
                "503|HTTP 503: no answer"
            })
    void saysWhatAnAnswerMeansWithoutRepeatingIt(int code, String why) throws InterruptedException {
        serve(exchange -> answer(exchange, code, "{\"error\": \"secret\"}"));
        assertThat(failure(here())).isEqualTo(why);
    }

    @Test
    void readsNoMoreThanTheMost() throws InterruptedException {
        serve(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                byte[] blanks = " ".repeat(1 << 16).getBytes(StandardCharsets.US_ASCII);
                for (int i = 0; i < 1 << 14; i++) {
                    out.write(blanks);
                }
            }
        });
        assertThat(failure(here())).isEqualTo("the answer is larger than 4194304 bytes");
    }

    /** The timeout of a request ends with its headers. */
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
        assertThat(failure(here(), Duration.ofSeconds(2))).isEqualTo("no whole answer within 2 s");
    }

    @Test
    void waitsForNoServerThatSaysNothing() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(failure("http://127.0.0.1:" + silent.getLocalPort(), Duration.ofSeconds(1)))
                    .isEqualTo("no whole answer within 1 s");
        }
    }

    @Test
    void saysThatNobodyListens() throws Exception {
        assertThat(failure("http://127.0.0.1:" + Installation.quietPort())).startsWith("no connection: ");
    }

    /** What another server says to whoever connects would tell of it. */
    @Test
    void repeatsNothingOfAServerOfAnotherProtocol() throws Exception {
        try (ServerSocket ssh = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            threads.execute(() -> {
                try (Socket socket = ssh.accept()) {
                    socket.getOutputStream().write("SSH-2.0-OpenSSH_9.9\r\n".getBytes(StandardCharsets.US_ASCII));
                    socket.getOutputStream().flush();
                    socket.getInputStream().readAllBytes();
                } catch (IOException ended) {
                    // the other side has what it needs
                }
            });
            assertThat(failure("http://127.0.0.1:" + ssh.getLocalPort())).isEqualTo("no answer in HTTP");
        }
    }

    @Test
    void trustsTheAuthoritiesThatItIsGivenAndNoOthers(@TempDir Path folder) throws Exception {
        TestIdentity identity = TestIdentity.make(folder, "prometheus");
        HttpsServer secured = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(
                KeyStore.getInstance(folder.resolve("prometheus.p12").toFile(), "changeit".toCharArray()),
                "changeit".toCharArray());
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(keys.getKeyManagers(), null, null);
        secured.setHttpsConfigurator(new HttpsConfigurator(tls));
        secured.setExecutor(threads);
        secured.createContext("/", exchange -> answer(exchange, 200, VECTOR));
        secured.start();
        try {
            String url = "https://localhost:" + secured.getAddress().getPort();
            Access known = new Access(Optional.empty(), Optional.of(AccessReader.trusting(identity.certificate())));
            assertThat(ask(url, known, Duration.ofSeconds(60))).isInstanceOf(QueryAnswer.Times.class);
            assertThat(failure(url)).startsWith("no TLS: ");
            assertThat(ask(url.replace("localhost", "127.0.0.1"), known, Duration.ofSeconds(60)))
                    .as("a certificate of another name")
                    .isInstanceOfSatisfying(
                            QueryAnswer.Failed.class,
                            failed -> assertThat(failed.why()).startsWith("no TLS: "));
        } finally {
            secured.stop(0);
        }
    }

    @Test
    void saysThatAUrlIsNone() throws InterruptedException {
        assertThat(failure("http://127.0.0.1:99999"))
                .isIn(
                        "the url is none",
                        "no connection: nobody listens there," + " the name is unknown, or a NetworkPolicy forbids it");
        assertThat(failure("ftp://127.0.0.1")).isEqualTo("the url is none");
    }
}
