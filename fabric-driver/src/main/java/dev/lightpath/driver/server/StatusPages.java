package dev.lightpath.driver.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code /live}, {@code /health}, {@code /metrics} and {@code /metrics/ports} by HTTP, for few connections at a time,
 * and requests that come at once. {@code /audit} is for callers on this host alone; in a pod it is reached by {@code
 * kubectl port-forward}.
 */
final class StatusPages implements AutoCloseable {
    /** Content type of metrics. */
    static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

    private static final String REQUEST_SECONDS = "10";
    private static final String ANSWER_SECONDS = "30";
    private static final String MOST_CONNECTIONS = "128";

    static {
        // the JDK's server reads them once, before the first is made
        setIfUnset("sun.net.httpserver.maxReqTime", REQUEST_SECONDS);
        setIfUnset("sun.net.httpserver.maxRspTime", ANSWER_SECONDS);
        setIfUnset("jdk.httpserver.maxConnections", MOST_CONNECTIONS);
    }

    /** What a page says. */
    record Answer(int status, String contentType, String body) {}

    private static final Answer ELSEWHERE =
            new Answer(403, "text/plain", "/audit is for callers on this host, as by kubectl port-forward\n");

    private final HttpServer server;

    /**
     * @param ports answers a query as it stands in the address, null for none
     * @param audit answers a query likewise
     */
    StatusPages(
            InetSocketAddress address,
            ExecutorService workers,
            Supplier<Answer> health,
            Supplier<Answer> metrics,
            Function<@Nullable String, Answer> ports,
            Function<@Nullable String, Answer> audit)
            throws IOException {
        server = HttpServer.create(address, 0);
        server.setExecutor(workers);
        server.createContext("/live", exchange -> answer(exchange, new Answer(200, "text/plain", "ok\n")));
        server.createContext("/health", exchange -> answer(exchange, health.get()));
        server.createContext("/metrics", exchange -> answer(exchange, metrics.get()));
        server.createContext(
                "/metrics/ports",
                exchange ->
                        answer(exchange, ports.apply(exchange.getRequestURI().getRawQuery())));
        server.createContext(
                "/audit",
                exchange -> answer(
                        exchange,
                        exchange.getRemoteAddress().getAddress().isLoopbackAddress()
                                ? audit.apply(exchange.getRequestURI().getRawQuery())
                                : ELSEWHERE));
        server.start();
    }

    private static void setIfUnset(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    int port() {
        return server.getAddress().getPort();
    }

    private static void answer(HttpExchange exchange, Answer answer) {
        try (exchange) {
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", answer.contentType());
            exchange.sendResponseHeaders(answer.status(), body.length);
            exchange.getResponseBody().write(body);
        } catch (IOException clientLeft) {
            throw new UncheckedIOException(clientLeft);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
