package dev.lightpath.tracing;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;

/** Takes traces by OTLP over HTTP, read with the messages that OpenTelemetry publishes. */
public final class Collector implements AutoCloseable {
    private final HttpServer server;
    private final List<ResourceSpans> received = new CopyOnWriteArrayList<>();

    public Collector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", exchange -> {
            boolean zipped = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
            var body = exchange.getRequestBody();
            received.addAll(
                    ExportTraceServiceRequest.parseFrom((zipped ? new GZIPInputStream(body) : body).readAllBytes())
                            .getResourceSpansList());
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    /** For {@code OTEL_EXPORTER_OTLP_ENDPOINT}. */
    public String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** What came from one service. */
    public List<Span> spans(String service) {
        return received.stream()
                .filter(each -> each.getResource().getAttributesList().stream()
                        .anyMatch(attribute -> attribute.getKey().equals("service.name")
                                && attribute.getValue().getStringValue().equals(service)))
                .flatMap(each -> each.getScopeSpansList().stream())
                .flatMap(each -> each.getSpansList().stream())
                .toList();
    }

    /** Hexadecimal digits of an identifier. */
    public static String hex(com.google.protobuf.ByteString id) {
        return HexFormat.of().formatHex(id.toByteArray());
    }

    /** An attribute of a span as text; empty where it has none of that name. */
    public static String attribute(Span span, String name) {
        return span.getAttributesList().stream()
                .filter(each -> each.getKey().equals(name))
                .map(each -> each.getValue().hasIntValue()
                        ? Long.toString(each.getValue().getIntValue())
                        : each.getValue().getStringValue())
                .findFirst()
                .orElse("");
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
