package dev.lightpath.sim.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.lightpath.sim.core.Hardware;
import dev.lightpath.sim.core.plant.Plant;
import dev.lightpath.sim.loop.HardwareLoop;
import dev.lightpath.sim.scenario.Scenario.Endpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** {@code /health}, {@code /metrics} and {@code /ground-truth}, all by GET. */
public final class HttpFront implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService handlers;

    /**
     * Listens from now on.
     *
     * @throws IOException when it cannot listen there
     */
    public HttpFront(Endpoint at, Hardware hardware, HardwareLoop loop) throws IOException {
        server = HttpServer.create(new InetSocketAddress(at.host(), at.port()), 16);
        // a request that never ends keeps its thread
        handlers = Executors.newVirtualThreadPerTaskExecutor();
        server.setExecutor(handlers);
        Meters meters = new Meters();
        serve("/health", "application/json", () -> {
            loop.ask(hardware::nowNanos);
            return "{\"status\":\"UP\"}\n";
        });
        serve("/metrics", "text/plain; version=0.0.4; charset=utf-8", () -> {
            meters.set(loop.ask(hardware::counts), loop.ask(() -> hardware.log().last()));
            return meters.scrape();
        });
        serve("/ground-truth", "application/json", () -> loop.ask(() -> groundTruth(hardware)));
        server.start();
    }

    /** The port it really listens at. */
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        handlers.shutdownNow();
    }

    /** The document of ChaosService/GetGroundTruth. Names hold no character that JSON would have to escape. */
    private static String groundTruth(Hardware hardware) {
        Plant plant = hardware.plant();
        StringBuilder json = new StringBuilder("{\"devices\":[");
        for (int device = 0; device < plant.deviceCount(); device++) {
            json.append(device == 0 ? "" : ",")
                    .append("{\"deviceId\":\"")
                    .append(plant.device(device).id())
                    .append("\",\"circuits\":[");
            int before = json.length();
            hardware.forEachLit(
                    device,
                    (ingress, egress) -> json.append(json.length() == before ? "" : ",")
                            .append("{\"ingress\":\"")
                            .append(plant.portName(ingress))
                            .append("\",\"egress\":\"")
                            .append(plant.portName(egress))
                            .append("\"}"));
            json.append("]}");
        }
        return json.append("]}\n").toString();
    }

    private void serve(String path, String type, Supplier<String> body) {
        server.createContext(path, exchange -> {
            try (exchange) {
                if (!exchange.getRequestURI().getPath().equals(path)) {
                    send(exchange, 404, "text/plain", "not found; there are /health, /metrics, /ground-truth\n");
                } else if (!exchange.getRequestMethod().equals("GET")) {
                    send(exchange, 405, "text/plain", "GET only\n");
                } else {
                    answer(exchange, type, body);
                }
            }
        });
    }

    private static void answer(HttpExchange exchange, String type, Supplier<String> body) throws IOException {
        String text;
        try {
            text = body.get();
        } catch (IllegalStateException e) {
            send(exchange, 503, "text/plain", e.getMessage() + "\n");
            return;
        }
        send(exchange, 200, type, text);
    }

    private static void send(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        boolean headOnly = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, headOnly ? -1 : bytes.length);
        if (!headOnly) {
            exchange.getResponseBody().write(bytes);
        }
    }
}
