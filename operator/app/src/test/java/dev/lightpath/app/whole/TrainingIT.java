package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.slice.GroupAllocation;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real torchrun with gloo: what its ranks see is compared with the records and with what the devices really do. Needs
 * PyTorch, so it runs with {@code -Ptraining} only.
 */
@Tag("training")
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TrainingIT {
    private static final int NODES = 16;
    private static final int PODS = 4;
    private static final String JOB = "train";
    /** Eight Pythons import PyTorch at once, and may wait for each other. */
    private static final Duration SLOW_START = Duration.ofMinutes(5);

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path PROGRAM = Path.of("src", "test", "resources", "training");

    private final Path folder;
    private final List<PodProcess> processes = new ArrayList<>();
    private Installation all;
    private WorkloadControllers controllers;
    private int started;

    TrainingIT(@TempDir Path folder) {
        this.folder = folder;
    }

    @BeforeAll
    void install(ApiServer server) throws IOException {
        assertThat(programs().resolve("torchrun"))
                .as("PyTorch is missing: run deploy/local/training/install, which installs 5 GB into the user's cache")
                .exists();
        all = new Installation(server, Files.createDirectories(folder.resolve("installation")), NODES);
        controllers = new WorkloadControllers(all.client);
        controllers.install();
        all.start();
    }

    @AfterEach
    void end() {
        processes.forEach(PodProcess::close);
    }

    @AfterAll
    void uninstall() throws IOException {
        if (all != null) {
            try (Installation ending = all) {
                all.kill();
                controllers.uninstall();
            }
        }
    }

    private static Path programs() {
        String cache = System.getenv("XDG_CACHE_HOME");
        Path base =
                cache == null || cache.isBlank() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        return base.resolve(Path.of("lightpath", "training", "venv-2.15.0", "bin"));
    }

    @Test
    void everyRankSeesTheLightThatBurnsAlsoAfterANodeFailed() throws IOException {
        Path first = Files.createDirectories(folder.resolve("first"));
        all.apply(JOB, """
                {model: {preset: gpt-7b}, parallelism: {tensor: 8, data: 2}, scaleUp: {fabric: ring-a},
                 workload: {template: {spec: {containers: [{name: train, image: example/train,
                  command: [torchrun, train.py], resources: {limits: {nvidia.com/gpu: 1}},
                  env: [{name: RESULTS, value: "%s"}, {name: MASTER_PORT, value: "%d"}]}]}}}}
                """.formatted(first, freePort()));
        run();
        List<JsonNode> before = results(first);
        assertSeen(before);

        String broken = groups().getFirst().nodes().getLast();
        all.mark(broken, Map.of("lightpath.dev/faulty", "smoke"));
        all.eventually(
                "the fault is known", () -> assertThat(all.says(JOB, "Ready")).isEqualTo("False FaultPending"));
        processes.get(1).kill();
        all.eventually(
                "torchrun ends in every pod",
                SLOW_START,
                () -> assertThat(processes).noneMatch(PodProcess::isAlive));
        assertThat(processes).allMatch(process -> process.exitCode() != 0);
        empty(first);
        processes.clear();

        controllers.restart();
        run();
        List<JsonNode> after = results(first);
        assertSeen(after);
        assertThat(after).noneMatch(seen -> seen.at("/light/node").asText().equals(broken));
        assertThat(after)
                .extracting(seen -> seen.at("/light/ring/revision").asLong())
                .anyMatch(revision -> revision > 1);

        Files.createFile(first.resolve("stop"));
        all.eventually(
                "the training ends", SLOW_START, () -> assertThat(processes).noneMatch(PodProcess::isAlive));
        assertThat(processes)
                .allSatisfy(process ->
                        assertThat(process.exitCode()).as(process.said()).isZero());
        all.delete(JOB);
        all.eventually("nothing is left", () -> {
            controllers.work();
            all.assertNothingLeft();
        });
    }

    /** Waits until the pods run, and starts what runs in them. */
    private void run() throws IOException {
        all.eventually("the pods run in their light", () -> {
            controllers.work();
            assertThat(all.says(JOB, "Ready")).isEqualTo("True Satisfied");
            all.assertLightAsRecorded();
        });
        List<Pod> pods =
                all.client.pods().inNamespace("default").withLabel("lightpath.dev/job", JOB).list().getItems().stream()
                        .sorted(Comparator.comparing(
                                pod -> pod.getMetadata().getAnnotations().get("lightpath.dev/rank")))
                        .toList();
        assertThat(pods).hasSize(PODS);
        for (Pod pod : pods) {
            Path own = Files.createDirectories(folder.resolve("pod-" + started++));
            processes.add(new PodProcess(pod, own, programs(), PROGRAM.toAbsolutePath()));
        }
    }

    /** What each rank saw, in their order. */
    private List<JsonNode> results(Path at) throws IOException {
        all.eventually("every rank has reduced along its light", SLOW_START, () -> {
            for (PodProcess process : processes) {
                assertThat(process.isAlive()).as(process.said()).isTrue();
            }
            for (int rank = 0; rank < PODS; rank++) {
                assertThat(at.resolve("rank-" + rank + ".json")).exists();
            }
        });
        List<JsonNode> seen = new ArrayList<>();
        for (int rank = 0; rank < PODS; rank++) {
            seen.add(JSON.readTree(Files.readString(at.resolve("rank-" + rank + ".json"))));
        }
        return seen;
    }

    private void assertSeen(List<JsonNode> ranks) {
        SortedMap<String, String> truth = RingTruth.measured(all.chaos);
        List<GroupAllocation> groups = groups();
        int first = 0;
        for (GroupAllocation group : groups) {
            int size = group.nodes().size();
            int sum = 0;
            for (int member = 0; member < size; member++) {
                sum += first + member + 1;
            }
            for (int member = 0; member < size; member++) {
                int rank = first + member;
                JsonNode seen = ranks.get(rank);
                assertThat(seen.get("world").asInt()).isEqualTo(PODS);
                assertThat(seen.get("rank").asInt()).isEqualTo(rank);
                assertThat(seen.get("nodeRank").asInt()).isEqualTo(rank);
                assertThat(seen.get("attempt").asText()).isEqualTo("1");
                assertThat(seen.get("groupSum").asInt()).isEqualTo(sum);
                assertThat(seen.get("worldSum").asInt()).isEqualTo(PODS * (PODS + 1) / 2);
                RingTruth.assertNeighbours(seen.get("light"), group.nodes(), first, member, truth);
            }
            first += size;
        }
    }

    private List<GroupAllocation> groups() {
        return all.slices().getFirst().getStatus().allocation().groups();
    }

    private static void empty(Path at) throws IOException {
        try (Stream<Path> files = Files.list(at)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }
}
