package dev.lightpath.cli.cluster.console;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.lightpath.cli.Infeasible;
import dev.lightpath.cli.cluster.access.Connection;
import dev.lightpath.console.PageFiles;
import dev.lightpath.console.Seen;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.console.view.Views;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** Serves the console on loopback. Every request but those for the page's own files needs the token of this run. */
final class ConsoleServer implements AutoCloseable {
    private static final int MOST_STREAMS = 32;
    private static final int LONGEST_BODY = 64 * 1024;
    /** A stream without a word for longer counts as lost. */
    private static final int PING_SECONDS = 10;

    private static final ObjectMapper JSON = JsonMapper.builder()
            .serializationInclusion(JsonInclude.Include.NON_ABSENT)
            .build();

    /** A request that is answered with a status of HTTP and one line. */
    private static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final int status;

        Refused(int status, String line) {
            super(line, null, false, false);
            this.status = status;
        }
    }

    private final HttpServer http;
    private final Guard guard;
    private final Watches watches;
    private final Answers answers;
    private final AtomicInteger streams = new AtomicInteger();

    private ConsoleServer(HttpServer http, Guard guard, Watches watches, Answers answers) {
        this.http = http;
        this.guard = guard;
        this.watches = watches;
        this.answers = answers;
    }

    /**
     * @param port of 127.0.0.1; 0 for any that is free
     * @throws IOException when the port is taken
     */
    static ConsoleServer start(int port, Watches watches, Answers answers) throws IOException {
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), 0);
        ConsoleServer server =
                new ConsoleServer(http, Guard.of(http.getAddress().getPort()), watches, answers);
        http.createContext("/", server::handle);
        http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        http.start();
        return server;
    }

    /** Where a browser opens it, with the token, which no request carries in its address. */
    String address() {
        return "http://127.0.0.1:" + http.getAddress().getPort() + "/#token=" + guard.token();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            PageFiles.HEADERS.forEach(exchange.getResponseHeaders()::set);
            try {
                guard.refusesOrigin(exchange.getRequestHeaders()).ifPresent(why -> {
                    throw new Refused(403, why);
                });
                String path = exchange.getRequestURI().getRawPath();
                if (path.startsWith("/api/")) {
                    data(exchange, path.substring("/api/".length()));
                } else {
                    file(exchange, path.substring(1));
                }
            } catch (Refused e) {
                say(exchange, e.status, String.valueOf(e.getMessage()));
            } catch (BadInput | Infeasible e) {
                say(exchange, 400, String.valueOf(e.getMessage()));
            } catch (KubernetesClientException e) {
                say(
                        exchange,
                        e.getCode() == 403 ? 403 : 502,
                        String.valueOf(Connection.explain(
                                        e, answers.api().client().getMasterUrl().toString())
                                .getMessage()));
            }
        }
    }

    private static void file(HttpExchange exchange, String name) throws IOException {
        require(exchange, "GET");
        PageFiles.PageFile file = PageFiles.named(name).orElseThrow(() -> new Refused(404, "there is no page " + name));
        exchange.getResponseHeaders().set("Content-Type", file.type());
        exchange.getResponseHeaders().set("ETag", file.tag());
        exchange.getResponseHeaders().set("Cache-Control", "no-cache");
        if (file.tag().equals(exchange.getRequestHeaders().getFirst("If-None-Match"))) {
            exchange.sendResponseHeaders(304, -1);
            return;
        }
        exchange.sendResponseHeaders(200, file.bytes().length);
        exchange.getResponseBody().write(file.bytes());
    }

    private void data(HttpExchange exchange, String address) throws IOException {
        if (!guard.knows(exchange.getRequestHeaders())) {
            throw new Refused(
                    401,
                    "this is not the token of this console: open the address that 'kubectl lightpath console' printed");
        }
        List<String> path = Views.path(address);
        Map<String, String> query = query(exchange.getRequestURI().getRawQuery());
        switch (path.getFirst()) {
            case "session" -> document(exchange, answers.session());
            case "live" -> stream(exchange);
            case "explain" -> document(exchange, answers.explain(part(path, 1), part(path, 2)));
            case "what-if" -> document(exchange, answers.whatIf(wanted(query, "fault")));
            case "acts" -> acts(exchange, query);
            default -> view(exchange, address, path, query.get("at"));
        }
    }

    private void acts(HttpExchange exchange, Map<String, String> query) throws IOException {
        answers.refusesActs().ifPresent(why -> {
            throw new Refused(403, why);
        });
        if (exchange.getRequestMethod().equals("GET")) {
            document(exchange, answers.propose(wanted(query, "act"), wanted(query, "object")));
            return;
        }
        require(exchange, "POST");
        byte[] body = exchange.getRequestBody().readNBytes(LONGEST_BODY + 1);
        JsonNode asked;
        try {
            asked = body.length > LONGEST_BODY ? null : JSON.readTree(body);
        } catch (JsonProcessingException e) {
            asked = null;
        }
        if (asked == null
                || !asked.path("act").isTextual()
                || !asked.path("object").isTextual()) {
            throw new Refused(400, "the body is no JSON object with act and object");
        }
        document(
                exchange,
                answers.carryOut(
                        asked.path("act").asText(), asked.path("object").asText()));
    }

    private void view(HttpExchange exchange, String address, List<String> path, @Nullable String moment)
            throws IOException {
        require(exchange, "GET");
        Seen now = watches.seen();
        if (moment != null) {
            Seen then;
            try {
                then = Views.at(now, moment);
            } catch (IllegalArgumentException e) {
                throw new Refused(404, String.valueOf(e.getMessage()));
            }
            document(exchange, shown(path, then));
            return;
        }
        byte[] known = now.documents().get(address);
        if (known == null) {
            known = zipped(JSON.writeValueAsBytes(shown(path, now)));
            now.documents().put(address, known);
        }
        write(exchange, known);
    }

    private static Object shown(List<String> path, Seen seen) {
        return Views.of(path, seen).orElseThrow(() -> new Refused(404, "there is no " + String.join("/", path)));
    }

    private static void document(HttpExchange exchange, Object document) throws IOException {
        write(exchange, zipped(JSON.writeValueAsBytes(document)));
    }

    private static byte[] zipped(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream zip = new GZIPOutputStream(out)) {
            zip.write(bytes);
        }
        return out.toByteArray();
    }

    /** Browsers on this machine all read gzip. */
    private static void write(HttpExchange exchange, byte[] zipped) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.getResponseHeaders().set("Content-Encoding", "gzip");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.sendResponseHeaders(200, zipped.length);
        exchange.getResponseBody().write(zipped);
    }

    /** Tells what changed, until the page goes. */
    private void stream(HttpExchange exchange) throws IOException {
        require(exchange, "GET");
        if (streams.incrementAndGet() > MOST_STREAMS) {
            streams.decrementAndGet();
            throw new Refused(429, MOST_STREAMS + " pages are open: close one");
        }
        LinkedBlockingQueue<Set<String>> changes = new LinkedBlockingQueue<>();
        Runnable end = watches.follow(changes::add);
        try {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            out.write(": open\n\n".getBytes(StandardCharsets.UTF_8));
            out.flush();
            while (true) {
                Set<String> what = changes.poll(PING_SECONDS, TimeUnit.SECONDS);
                String event = ": still here\n\n";
                if (what != null) {
                    Set<String> all = new TreeSet<>(what);
                    for (Set<String> more = changes.poll(); more != null; more = changes.poll()) {
                        all.addAll(more);
                    }
                    event = "event: changed\ndata: " + JSON.writeValueAsString(Map.of("what", all)) + "\n\n";
                }
                out.write(event.getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            end.run();
            streams.decrementAndGet();
        }
    }

    private static void say(HttpExchange exchange, int status, String line) throws IOException {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static void require(HttpExchange exchange, String method) {
        if (!exchange.getRequestMethod().equals(method)) {
            throw new Refused(405, exchange.getRequestMethod() + ": allowed is " + method);
        }
    }

    private static String part(List<String> path, int index) {
        if (path.size() <= index) {
            throw new Refused(404, "there is no " + String.join("/", path));
        }
        return path.get(index);
    }

    private static String wanted(Map<String, String> query, String name) {
        String value = query.get(name);
        if (value == null || value.isBlank()) {
            throw new Refused(400, "?" + name + "= is missing");
        }
        return value;
    }

    private static Map<String, String> query(@org.jspecify.annotations.Nullable String raw) {
        Map<String, String> query = new HashMap<>();
        if (raw != null) {
            for (String each : raw.split("&")) {
                int equals = each.indexOf('=');
                if (equals > 0) {
                    query.put(
                            each.substring(0, equals),
                            URLDecoder.decode(each.substring(equals + 1), StandardCharsets.UTF_8));
                }
            }
        }
        return query;
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
