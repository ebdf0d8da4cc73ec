package dev.lightpath.driver.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Pages by HTTP, for few connections at a time, and requests that come at once. Some are for callers on this host alone;
 * in a pod these are reached by {@code kubectl port-forward}.
 */
public final class StatusPages implements AutoCloseable {
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
    public record Answer(int status, String contentType, String body) {}

    /**
     * What a caller asks.
     *
     * @param query as it stands in the address; null for none
     * @param accept the types that the caller takes, as it names them
     */
    public record Request(@Nullable String query, String accept) {}

    /**
     * A page.
     *
     * @param ours whether it is for callers on this host alone
     */
    public record Page(String path, boolean ours, Function<Request, Answer> answer) {
        /** For everybody who reaches the port. */
        public static Page open(String path, Function<Request, Answer> answer) {
            return new Page(path, false, answer);
        }

        /** For callers on this host. */
        public static Page ours(String path, Function<Request, Answer> answer) {
            return new Page(path, true, answer);
        }
    }

    private final HttpServer server;

    public StatusPages(InetSocketAddress address, ExecutorService workers, List<Page> pages) throws IOException {
        server = HttpServer.create(address, 0);
        server.setExecutor(workers);
        for (Page page : pages) {
            server.createContext(page.path(), exchange -> answer(exchange, answered(page, exchange)));
        }
        server.start();
    }

    private static Answer answered(Page page, HttpExchange exchange) {
        if (page.ours() && !exchange.getRemoteAddress().getAddress().isLoopbackAddress()) {
            return new Answer(
                    403, "text/plain", page.path() + " is for callers on this host, as by kubectl port-forward\n");
        }
        List<String> types = exchange.getRequestHeaders().get("Accept");
        return page.answer()
                .apply(new Request(
                        exchange.getRequestURI().getRawQuery(), types == null ? "" : String.join(",", types)));
    }

    private static void setIfUnset(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    public int port() {
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
