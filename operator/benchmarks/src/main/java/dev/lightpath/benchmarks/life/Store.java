package dev.lightpath.benchmarks.life;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.SortedMap;
import java.util.TreeMap;

/** What etcd holds, asked past the API server. */
final class Store implements AutoCloseable {
    private static final int OK = 200;
    private static final String ALL = "/registry/";
    private static final int PAGE = 500;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String address;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** @param address of etcd, for HTTP */
    Store(String address) {
        this.address = address;
    }

    /** All objects of a kind. */
    record Objects(int number, int largestBytes) {
        Objects and(Objects others) {
            return new Objects(number + others.number, Math.max(largestBytes, others.largestBytes));
        }
    }

    /** Every object, as it is stored, by kind. */
    SortedMap<String, Objects> objects() {
        SortedMap<String, Objects> objects = new TreeMap<>();
        byte[] from = ALL.getBytes(StandardCharsets.US_ASCII);
        byte[] end = "/registry0".getBytes(StandardCharsets.US_ASCII);
        boolean more = true;
        while (more) {
            JsonNode page = range(from, end);
            for (JsonNode pair : page.path("kvs")) {
                byte[] key = bytes(pair, "key");
                int size = bytes(pair, "value").length;
                objects.merge(kind(new String(key, StandardCharsets.UTF_8)), new Objects(1, size), Objects::and);
                from = Arrays.copyOf(key, key.length + 1);
            }
            more = page.path("more").asBoolean();
        }
        if (!objects.containsKey("nodes")) {
            throw new IllegalStateException("etcd shows no Nodes");
        }
        return objects;
    }

    /** Keys are {@code /registry/[group/]kind/...}; only groups have a dot, and Nodes have an old name. */
    static String kind(String key) {
        String[] parts = key.substring(ALL.length()).split("/");
        String kind = parts.length > 2 && parts[0].contains(".") ? parts[1] : parts[0];
        return kind.equals("minions") ? "nodes" : kind;
    }

    private static byte[] bytes(JsonNode pair, String field) {
        return Base64.getDecoder().decode(pair.path(field).asText());
    }

    private JsonNode range(byte[] from, byte[] end) {
        Base64.Encoder base64 = Base64.getEncoder();
        String question = "{\"key\": \"%s\", \"range_end\": \"%s\", \"limit\": %d, \"serializable\": true}"
                .formatted(base64.encodeToString(from), base64.encodeToString(end), PAGE);
        return send(
                HttpRequest.newBuilder(URI.create(address + "/v3/kv/range"))
                        .POST(HttpRequest.BodyPublishers.ofString(question))
                        .build(),
                JSON::readTree);
    }

    /** What of the database's file is in use, in MiB. */
    double usedMib() {
        return send(
                HttpRequest.newBuilder(URI.create(address + "/metrics")).build(),
                body -> new String(body.readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .filter(line -> line.startsWith("etcd_mvcc_db_total_size_in_use_in_bytes "))
                        .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' ') + 1)) / (1 << 20))
                        .findFirst()
                        .orElseThrow(() -> new IOException("etcd does not tell how large its database is")));
    }

    private interface Reading<T> {
        T of(InputStream body) throws IOException;
    }

    private <T> T send(HttpRequest request, Reading<T> reading) {
        try {
            HttpResponse<InputStream> answer = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream body = answer.body()) {
                if (answer.statusCode() != OK) {
                    throw new IOException(request.uri() + " answered " + answer.statusCode());
                }
                return reading.of(body);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
