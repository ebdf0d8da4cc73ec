package dev.lightpath.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.iteration.InstanceGenerator;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.worker.wire.SearchCodec;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The worker as a process. */
final class SearchWorkerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final Pattern SERVES = Pattern.compile("port=(\\d+).* http=(\\d+).*worker serves");
    private Process worker;
    private int port;
    private int http;

    @BeforeEach
    void start() throws Exception {
        worker = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SearchWorker.class.getName(),
                        "--listen",
                        "127.0.0.1:0",
                        "--http",
                        "127.0.0.1:0",
                        "--searches",
                        "1")
                .redirectErrorStream(true)
                .start();
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(worker.getInputStream(), StandardCharsets.UTF_8));
        StringBuilder said = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            said.append(line).append('\n');
            Matcher serves = SERVES.matcher(line);
            if (serves.find()) {
                port = Integer.parseInt(serves.group(1));
                http = Integer.parseInt(serves.group(2));
                break;
            }
        }
        assertThat(port).as(said.toString()).isPositive();
        Thread.ofVirtual().start(() -> lines.lines().forEach(line -> {}));
    }

    @AfterEach
    void stop() {
        worker.descendants().forEach(ProcessHandle::destroyForcibly);
        worker.destroyForcibly().onExit().join();
    }

    private ProcessHandle child() {
        Awaitility.await().atMost(PATIENCE).until(() -> worker.descendants().count() == 1);
        return worker.descendants().findFirst().orElseThrow();
    }

    private void hasEnded(ProcessHandle process) {
        Awaitility.await().atMost(PATIENCE).until(() -> !process.isAlive());
    }

    @Test
    void answersAsThePlannerDoes() throws Exception {
        DeltaInstance instance = InstanceGenerator.generate(Preset.GPT_7B.workload(400, 8, 4096, false));
        Goal goal = Goal.fewestPorts(Algorithm.JOINT, 1e-9);
        SearchLimits limits = SearchLimits.standard();
        try (AskedSearch search = AskedSearch.of(port)) {
            search.ask(SearchCodec.question(instance, goal, limits));
            assertThat(search.answer().getSolution())
                    .isEqualTo(SearchCodec.solution(new DeltaPlanner().solve(instance, goal, limits)));
        }
        assertThat(page("/live")).isEqualTo("ok\n");
        assertThat(page("/metrics"))
                .contains("lightpath_worker_search_seconds_count{result=\"solved\"} 1\n")
                .contains("lightpath_worker_places 1.0\n");
    }

    private String page(String path) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + http + path))
                    .build();
            return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        }
    }

    @Test
    void aWorkerThatIsKilledLeavesNoSearchBehind() throws Exception {
        try (AskedSearch search = AskedSearch.of(port)) {
            search.ask(LongSearch.question());
            search.awaitBegun();
            ProcessHandle child = child();
            worker.destroyForcibly();
            hasEnded(child);
            assertThat(search.refusal().getCode().name()).isEqualTo("UNAVAILABLE");
        }
    }

    /** Its search ends with it, when it has waited for its end. */
    @Test
    void aWorkerThatIsStoppedEnds() throws Exception {
        worker.destroy();
        assertThat(worker.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
}
