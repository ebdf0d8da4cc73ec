package dev.lightpath.app.whole;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands between operator and API server and sees every write but those of the Lease. */
final class WriteTap implements AutoCloseable {
    /** Hears of writes, numbered from 1 since {@link #listen}. */
    interface Listener {
        /** Returns whether the write is to reach the API server. */
        boolean before(int number, String what);

        void after(int number, String what);
    }

    static final Listener SILENT = new Listener() {
        @Override
        public boolean before(int number, String what) {
            return true;
        }

        @Override
        public void after(int number, String what) {}
    };

    private final String upstream;
    private final HttpClient client;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger writes = new AtomicInteger();
    private volatile Listener listener = SILENT;

    WriteTap(Config config) {
        try {
            upstream = config.getMasterUrl().replaceAll("/$", "");
            client = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .sslContext(SSLUtils.sslContext(config))
                    .executor(threads)
                    .build();
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    int writes() {
        return writes.get();
    }

    void listen(Listener next) {
        writes.set(0);
        listener = next;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (exchange.getRequestHeaders().containsKey("Upgrade")) {
                // a client that gets no web socket watches by an endless answer; after any error it would try on first
                exchange.sendResponseHeaders(200, -1);
                return;
            }
            byte[] body = exchange.getRequestBody().readAllBytes();
            String what = exchange.getRequestMethod() + " " + exchange.getRequestURI();
            boolean write = !what.startsWith("GET ") && !what.contains("/leases");
            int number = write ? writes.incrementAndGet() : 0;
            if (write && !listener.before(number, what)) {
                return;
            }
            HttpResponse<InputStream> answer =
                    client.send(request(exchange, body), HttpResponse.BodyHandlers.ofInputStream());
            if (write) {
                listener.after(number, what);
            }
            answer(exchange, answer);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private HttpRequest request(HttpExchange exchange, byte[] body) {
        var request = HttpRequest.newBuilder(URI.create(upstream + exchange.getRequestURI()))
                .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body));
        for (String header : List.of("Content-Type", "Accept")) {
            String value = exchange.getRequestHeaders().getFirst(header);
            if (value != null) {
                request.header(header, value);
            }
        }
        return request.build();
    }

    private static void answer(HttpExchange exchange, HttpResponse<InputStream> answer) throws IOException {
        answer.headers()
                .firstValue("Content-Type")
                .ifPresent(type -> exchange.getResponseHeaders().add("Content-Type", type));
        exchange.sendResponseHeaders(answer.statusCode(), 0);
        try (InputStream from = answer.body();
                OutputStream to = exchange.getResponseBody()) {
            byte[] buffer = new byte[16_384];
            for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
                to.write(buffer, 0, read);
                to.flush();
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        client.shutdownNow();
    }
}
