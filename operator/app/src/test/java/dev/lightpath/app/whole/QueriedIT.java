package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.lightpath.app.monitoring.Prometheus;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.measurement.Measurement;
import dev.lightpath.crds.job.measurement.ToldBy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process of a job serves its iteration time, and the operator asks for it: a real Prometheus, with
 * {@code -Pdashboards} only, and a server that answers as one does.
 */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("dashboards")
class QueriedIT {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final String QUERY = "avg by (namespace, job_name) (iteration_seconds)";

    private Installation all;
    private JobOnSwitches scene;
    private HttpServer process;
    /** What its process serves; a number of seconds in the words of Prometheus. */
    private volatile String seconds = "0";
    /** How often the false Prometheus was asked. */
    private final AtomicInteger asked = new AtomicInteger();

    @BeforeAll
    void install(ApiServer server, @TempDir Path folder) throws Exception {
        process = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        process.createContext("/metrics", exchange -> {
            // a Prometheus reads no page whose type it is not told
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
            answer(
                    exchange,
                    200,
                    "iteration_seconds{namespace=\"default\",job_name=\"llm\",pod=\"llm-0\"} " + seconds + "\n");
        });
        process.createContext("/redirects/", exchange -> {
            exchange.getResponseHeaders().set("Location", "/steady/api/v1/query");
            answer(exchange, 302, "");
        });
        process.createContext("/page/", exchange -> answer(exchange, 200, "<html>secret</html>"));
        process.createContext("/steady/", exchange -> {
            asked.incrementAndGet();
            answer(exchange, 200, """
                    {"status": "success", "data": {"resultType": "vector", "result": [
                     {"metric": {"namespace": "default", "job_name": "llm"}, "value": [1790000000.1, "%s"]}]}}
                    """.formatted(seconds));
        });
        process.start();
        scene = new JobOnSwitches(server, folder);
        all = scene.all;
        all.start();
    }

    private static void answer(HttpExchange exchange, int code, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @AfterAll
    void uninstall() throws Exception {
        scene.close();
        process.stop(0);
    }

    @AfterEach
    void clear() {
        scene.patchFabric("{\"spec\":{\"measurements\":null}}");
        all.client.resources(TrainingJob.class).inNamespace("default").delete();
        all.awaitNothingLeft();
    }

    @Test
    void iterationTimesComeFromAPrometheus(@TempDir Path folder) throws IOException, InterruptedException {
        String page = "127.0.0.1:" + process.getAddress().getPort() + "/metrics";
        Path rules = Files.writeString(folder.resolve("rules.yaml"), "groups: []\n");
        try (Prometheus prometheus = new Prometheus(folder, rules, Map.of("training", page))) {
            assertCounted(prometheus.url());
        }
    }

    /** Nonsense is refused, and what makes sense is counted. */
    private double assertCounted(String url) {
        scene.apply("{model: {preset: gpt-7b}, parallelism: {tensor: 4, pipeline: 2, data: 2},"
                + " scaleOut: {fabric: dc, stagesPerPod: 1}}");
        eventually("it is Ready, and its time predicted", () -> {
            assertThat(scene.says("Ready")).isEqualTo("True Satisfied");
            assertThat(scene.job().getStatus().prediction()).isNotNull();
        });
        double predicted =
                Double.parseDouble(scene.job().getStatus().prediction().iterationSeconds());
        seconds = "NaN";
        ask(url);
        eventually("nonsense is refused", () -> {
            assertThat(fabricSays()).isEqualTo("True spec.measurements.prometheus is answered");
            assertThat(scene.says("Measured")).isEqualTo("False InvalidMeasurement");
            assertThat(scene.message("Measured"))
                    .startsWith("spec.measurements.prometheus.query of OpticalFabric dc tells 'NaN'");
        });

        AtomicInteger told = new AtomicInteger();
        eventually("three values are kept", () -> {
            seconds = decimal(predicted * (1.2 + told.incrementAndGet() % 50 * 0.0001));
            assertThat(measurement()).isNotNull();
            assertThat(measurement().circuits().getFirst().seconds()).hasSizeGreaterThanOrEqualTo(3);
            assertThat(measurement().toldBy()).isEqualTo(ToldBy.PROMETHEUS);
            assertThat(Double.parseDouble(measurement().ratio())).isBetween(1.19, 1.22);
            assertThat(measurement().learnt()).isNotNull();
            assertThat(scene.says("Measured")).isEqualTo("True Satisfied");
            assertThat(scene.message("Measured")).contains(" s by the query of its fabric, ");
        });
        return predicted;
    }

    @Test
    void anAnswerThatSaysNothingNewIsNotWrittenAndOneThatIsNoneIsToldOnTheFabric() {
        double predicted = assertCounted(base() + "/steady");
        seconds = decimal(predicted * 1.21);
        askedOften();
        eventually("nothing new, nothing written", () -> {
            String jobVersion = scene.job().getMetadata().getResourceVersion();
            String fabricVersion = scene.fabric().getMetadata().getResourceVersion();
            askedOften();
            assertThat(scene.job().getMetadata().getResourceVersion()).isEqualTo(jobVersion);
            assertThat(scene.fabric().getMetadata().getResourceVersion()).isEqualTo(fabricVersion);
        });

        Measurement learnt = measurement();
        ask(base() + "/redirects");
        eventually(
                "no redirect is followed",
                () -> assertThat(fabricSays())
                        .isEqualTo(
                                "False spec.measurements.prometheus: HTTP 302: redirects are not followed; name where"
                                        + " they lead"));
        ask(base() + "/page");
        eventually(
                "no page is repeated",
                () -> assertThat(fabricSays())
                        .isEqualTo("False spec.measurements.prometheus: the answer is no vector as /api/v1/query of a"
                                + " Prometheus gives it"));
        assertThat(measurement()).as("nothing is lost").isEqualTo(learnt);

        annotate("\"0\"");
        ask(base() + "/steady");
        eventually("the annotation goes first", () -> {
            assertThat(fabricSays()).startsWith("True ");
            assertThat(scene.message("Measured"))
                    .startsWith("metadata.annotations[lightpath.dev/iteration-seconds] is '0'");
        });
        annotate("null");
        scene.patchFabric("{\"spec\":{\"measurements\":null}}");
        eventually("it is not asked any more", () -> {
            assertThat(fabricSays()).isEmpty();
            assertThat(scene.says("Measured")).isEqualTo("True Satisfied");
        });
    }

    private void eventually(String what, ThrowingRunnable assertion) {
        all.eventually(what, PATIENCE, assertion);
    }

    /** Three answers more: the first may have been on its way. */
    private void askedOften() {
        int before = asked.get();
        eventually("it is asked", () -> assertThat(asked.get()).isGreaterThan(before + 3));
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.6f", value);
    }

    private String base() {
        return "http://127.0.0.1:" + process.getAddress().getPort();
    }

    private void ask(String url) {
        scene.patchFabric("""
                        {"spec":{"measurements":{"prometheus":
                         {"url":"%s","query":"%s","intervalSeconds":5,"rangeSeconds":1}}}}""".formatted(url, QUERY));
    }

    private void annotate(String value) {
        scene.patch(
                "{\"metadata\":{\"annotations\":{\"" + LightpathAnnotations.ITERATION_SECONDS + "\":" + value + "}}}");
    }

    /** Status and message of its condition, empty where it has none. */
    private String fabricSays() {
        var status = scene.fabric().getStatus();
        return status == null
                ? ""
                : status.conditions().stream()
                        .filter(condition -> condition.getType().equals("MeasurementsRead"))
                        .map(condition -> condition.getStatus() + " " + condition.getMessage())
                        .findFirst()
                        .orElse("");
    }

    private @Nullable Measurement measurement() {
        return scene.job().getStatus().measurement();
    }
}
