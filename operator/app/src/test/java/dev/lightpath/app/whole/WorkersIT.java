package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.worker.SearchWorker;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The packaged operator with a worker for its searches, and without it. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WorkersIT {
    private static final String FIRST = "first";
    private static final String SECOND = "second";

    private final Path folder;
    private Installation all;
    private TwoFabrics scene;
    private Process worker;
    /** Searches that ran in the operator so far. */
    private double local;

    WorkersIT(@TempDir Path folder) {
        this.folder = folder;
    }

    @BeforeAll
    void install(ApiServer server) throws IOException {
        int port = Installation.quietPort();
        worker = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SearchWorker.class.getName(),
                        "--listen",
                        "127.0.0.1:" + port,
                        "--http",
                        "127.0.0.1:0")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("worker.log").toFile())
                .start();
        all = new Installation(
                server,
                folder,
                TwoFabrics.NODES,
                ", devices: [%s], fibres: [%s]"
                        .formatted(String.join(", ", TwoFabrics.devices()), String.join(", ", TwoFabrics.fibres())),
                List.of("-Dlightpath.search.workers=127.0.0.1:" + port, "-Dlightpath.metrics.anonymous=true"));
        scene = new TwoFabrics(all);
        scene.describe();
        await("the worker listens").atMost(Duration.ofSeconds(120)).until(() -> {
            try (Socket connected = new Socket("127.0.0.1", port)) {
                return connected.isConnected();
            } catch (IOException notYet) {
                return false;
            }
        });
        all.start();
    }

    @AfterAll
    void uninstall() throws IOException {
        worker.descendants().forEach(ProcessHandle::destroyForcibly);
        worker.destroyForcibly();
        all.delete(FIRST);
        all.delete(SECOND);
        all.eventually("the jobs are gone", () -> assertThat(all.slices()).isEmpty());
        all.kill();
        scene.remove();
        all.close();
    }

    @Test
    void circuitsAreChosenByTheWorkerAndWithoutItByTheOperator() throws Exception {
        List<String> tolerances = List.of("0.01", "0.011", "0.012", "0.013");
        assertThat(tolerances).as("one was searched by the worker").anySatisfy(this::isChosenByTheWorker);
        assertThat(series("lightpath_solver_workers")).isEqualTo(1);

        worker.destroyForcibly().onExit().join();
        all.apply(SECOND, spec("0.02"));
        all.awaitReady(SECOND);
        assertThat(series("lightpath_solver_local_total")).isGreaterThan(local);
    }

    /** On a busy machine a worker may take longer to begin than the operator waits, and another question is asked. */
    private void isChosenByTheWorker(String tolerance) throws Exception {
        all.delete(FIRST);
        all.eventually(
                "no job is left",
                () -> assertThat(all.client
                                .resources(TrainingJob.class)
                                .inNamespace("default")
                                .list()
                                .getItems())
                        .isEmpty());
        all.apply(FIRST, spec(tolerance));
        all.awaitReady(FIRST);
        all.eventually(
                "its light is as recorded",
                () -> assertThat(scene.lit()).isEqualTo(scene.recorded(FIRST)).isNotEmpty());
        double before = local;
        local = series("lightpath_solver_local_total");
        assertThat(local).isEqualTo(before);
        assertThat(series("lightpath_solver_tries_total{result=\"answered\"}")).isPositive();
    }

    /** Another tolerance is another question. */
    private static String spec(String tolerance) {
        return "{model: {preset: gpt-7b}, parallelism: {tensor: 4, pipeline: 2}, reconfiguration: Live,"
                + " scaleOut: {fabric: dc, stagesPerPod: 1, portTolerance: '" + tolerance + "'}}";
    }

    private double series(String name) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create(all.url("/q/metrics")))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body()
                    .lines()
                    .filter(line -> line.startsWith(name + " "))
                    .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
