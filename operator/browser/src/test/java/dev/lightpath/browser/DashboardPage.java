package dev.lightpath.browser;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Serves the page that draws a dashboard, the dashboards, and what a Prometheus answers. */
final class DashboardPage implements AutoCloseable {
    static final Path DASHBOARDS = Path.of("..", "..", "deploy", "kubernetes", "monitoring", "dashboards");
    private static final String PLOT =
            "/META-INF/resources/webjars/uplot/" + System.getProperty("uplot.version") + "/dist/";
    private static final Map<String, String> TYPES =
            Map.of("html", "text/html", "js", "text/javascript", "css", "text/css", "json", "application/json");

    private final HttpServer server;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final String prometheus;

    DashboardPage(String prometheus) throws IOException {
        this.prometheus = prometheus;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    /** @param start and end in seconds since 1970 */
    String address(String dashboard, long start, long end) {
        return "http://127.0.0.1:%d/dashboard.html?dashboard=%s&start=%d&end=%d"
                .formatted(server.getAddress().getPort(), dashboard, start, end);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            byte[] body = body(path, exchange.getRequestURI().getRawQuery());
            String type = TYPES.getOrDefault(path.substring(path.lastIndexOf('.') + 1), "application/json");
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private byte[] body(String path, String query) throws IOException {
        if (path.startsWith("/api/")) {
            return asked(path + "?" + query);
        }
        if (path.startsWith("/dashboards/")) {
            return Files.readAllBytes(DASHBOARDS.resolve(path.substring("/dashboards/".length())));
        }
        String resource = path.startsWith("/uPlot") ? PLOT + path.substring(1) : path.substring(1);
        try (InputStream in = DashboardPage.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IOException("no " + resource);
            }
            return in.readAllBytes();
        }
    }

    /** What Prometheus answers to a path. */
    byte[] asked(String path) throws IOException {
        try {
            return client.send(
                            HttpRequest.newBuilder(URI.create(prometheus + path))
                                    .build(),
                            HttpResponse.BodyHandlers.ofByteArray())
                    .body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
        client.close();
    }
}
