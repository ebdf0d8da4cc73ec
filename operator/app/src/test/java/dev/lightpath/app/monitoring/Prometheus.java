package dev.lightpath.app.monitoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.app.whole.Installation;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A real Prometheus, built by {@code deploy/prometheus/run}, that scrapes every second. */
public final class Prometheus implements AutoCloseable {
    static final Path PROGRAM = DashboardsTest.ROOT.resolve("deploy/prometheus/run");
    private static final ObjectMapper JSON = new ObjectMapper();

    /** One row of an answer: its labels, and its value. */
    record Sample(SortedMap<String, String> labels, double value) {}

    /** The values of one series at equal steps; NaN where it has none. */
    record Series(SortedMap<String, String> labels, List<Double> values) {
        String name() {
            return Objects.requireNonNull(labels.get(NAME));
        }

        /** As a query names it. */
        String selector() {
            return name()
                    + labels.entrySet().stream()
                            .filter(label -> !label.getKey().equals(NAME))
                            .map(label -> label.getKey() + "=\"" + label.getValue() + "\"")
                            .collect(Collectors.joining(",", "{", "}"));
        }
    }

    private static final String NAME = "__name__";

    private final Process process;
    private final String base;
    private final HttpClient client = HttpClient.newHttpClient();

    /** @param targets address and path of each page, by job */
    public Prometheus(Path folder, Path rules, Map<String, String> targets) throws IOException, InterruptedException {
        StringBuilder config = new StringBuilder("global: {scrape_interval: 1s, evaluation_interval: 1s}\n");
        config.append("rule_files: ['").append(rules).append("']\nscrape_configs:\n");
        targets.forEach((job, target) -> {
            int slash = target.indexOf('/');
            config.append(
                    "  - {job_name: %s, honor_labels: true, metrics_path: '%s', static_configs: [{targets: ['%s']}]}\n"
                            .formatted(job, target.substring(slash), target.substring(0, slash)));
        });
        Path file = Files.writeString(folder.resolve("prometheus.yaml"), config);
        String address = "127.0.0.1:" + Installation.quietPort();
        File log = folder.resolve("prometheus.log").toFile();
        process = new ProcessBuilder(
                        PROGRAM.toString(),
                        "prometheus",
                        "--config.file=" + file,
                        "--storage.tsdb.path=" + folder.resolve("series"),
                        "--web.listen-address=" + address,
                        "--enable-feature=exemplar-storage")
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
        base = "http://" + address;
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
        while (!isReady()) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                close();
                throw new AssertionError("no Prometheus: " + Files.readString(log.toPath()));
            }
            TimeUnit.MILLISECONDS.sleep(200);
        }
    }

    private boolean isReady() throws InterruptedException {
        try {
            return get("/-/ready").statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    public String url() {
        return base;
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(base + path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Answers a query as of now. */
    List<Sample> ask(String query) throws IOException, InterruptedException {
        List<Sample> samples = new ArrayList<>();
        for (JsonNode row : rows("query", query, "")) {
            samples.add(new Sample(
                    labels(row), Double.parseDouble(row.at("/value/1").asText())));
        }
        return samples;
    }

    /** The traces that samples of these series named since a moment. */
    SortedSet<String> traces(String query, Instant from) throws IOException, InterruptedException {
        SortedSet<String> traces = new TreeSet<>();
        JsonNode data = answer(
                "query_exemplars",
                query,
                "&start=%d&end=%d"
                        .formatted(from.getEpochSecond(), Instant.now().getEpochSecond()));
        for (JsonNode series : data) {
            for (JsonNode exemplar : series.get("exemplars")) {
                traces.add(exemplar.at("/labels/trace_id").asText());
            }
        }
        return traces;
    }

    /** All series of a name, from a moment on. @param length how many values each gets */
    List<Series> recorded(String name, Instant from, Duration step, int length)
            throws IOException, InterruptedException {
        Instant to = from.plus(step.multipliedBy(length - 1));
        List<Series> recorded = new ArrayList<>();
        for (JsonNode row : rows(
                "query_range",
                name,
                "&start=%d&end=%d&step=%d".formatted(from.getEpochSecond(), to.getEpochSecond(), step.toSeconds()))) {
            List<Double> values = new ArrayList<>(Collections.nCopies(length, Double.NaN));
            for (JsonNode value : row.get("values")) {
                long at = value.get(0).asLong() - from.getEpochSecond();
                values.set(
                        (int) (at / step.toSeconds()),
                        Double.parseDouble(value.get(1).asText()));
            }
            recorded.add(new Series(labels(row), values));
        }
        return recorded;
    }

    private JsonNode rows(String how, String query, String more) throws IOException, InterruptedException {
        return answer(how, query, more).get("result");
    }

    private JsonNode answer(String how, String query, String more) throws IOException, InterruptedException {
        JsonNode answer = JSON.readTree(
                get("/api/v1/" + how + "?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8) + more)
                        .body());
        if (!answer.path("status").asText().equals("success")) {
            throw new AssertionError(query + ": " + answer);
        }
        return answer.get("data");
    }

    private static SortedMap<String, String> labels(JsonNode row) {
        SortedMap<String, String> labels = new TreeMap<>();
        row.get("metric")
                .properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
        return labels;
    }

    /** The one value of an answer. */
    double value(String query) throws IOException, InterruptedException {
        List<Sample> samples = ask(query);
        if (samples.size() != 1) {
            throw new AssertionError(query + " has " + samples.size() + " values: " + samples);
        }
        return samples.getFirst().value();
    }

    @Override
    public void close() throws InterruptedException {
        client.close();
        process.destroy();
        process.waitFor(20, TimeUnit.SECONDS);
    }
}
