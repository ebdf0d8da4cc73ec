package dev.lightpath.app.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Workloads of the Training Operator and of KubeRay in queues of a real Kueue, by the manifests of {@code docs/frameworks}. Eight nodes
 * of four GPUs on a ring. Runs with {@code -Pkueue}.
 */
@Tag("kueue")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueuedControllersIT {
    private static final int PORT_BASE = 27500;
    private static final Path QUEUES = Path.of("src", "test", "resources", "kueue", "queues.yaml");
    private static final Path PAGES = Path.of("..", "..", "docs", "frameworks");
    private static final String NAMED = "metadata: {name: llm, namespace: default";

    private QueuedCluster cluster;
    private KubernetesClient client;
    private List<HasMetadata> applied = List.of();

    @BeforeAll
    void start() throws IOException, InterruptedException {
        cluster = new QueuedCluster(PORT_BASE, "--workloads", "training-operator,kuberay");
        client = cluster.client;
        client.load(Files.newInputStream(QUEUES)).serverSideApply();
    }

    @AfterEach
    void clear() {
        client.resources(TrainingJob.class).inNamespace("default").delete();
        applied.reversed().forEach(object -> client.resource(object).delete());
        applied = List.of();
        cluster.eventually("nothing is left", () -> {
            assertThat(client.resources(FabricSlice.class)
                            .inNamespace("default")
                            .list()
                            .getItems())
                    .isEmpty();
            assertThat(client.pods().inNamespace("default").list().getItems()).isEmpty();
            assertThat(cluster.workloads()).isEmpty();
        });
    }

    @AfterAll
    void stop() throws IOException, InterruptedException {
        if (cluster != null) {
            cluster.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"pytorchjob.md, PyTorchJob, llm-pytorch", "ray.md, RayCluster, llm-ray"})
    void aWorkloadHasLightWhileItHasQuota(String page, String kind, String job) throws IOException {
        job("first");
        cluster.eventually(
                "the first runs", () -> assertThat(cluster.ready("first")).isEqualTo("True"));
        queue(page);
        cluster.eventually(
                "there is no quota",
                () -> assertThat(cluster.says(job, "Accepted"))
                        .startsWith("False WaitingForQuota: spec.workload.ref: " + kind + " llm is suspended")
                        .contains("Kueue says: "));
        assertThat(cluster.slicesOf(job)).isEmpty();

        cluster.delete("first");
        cluster.eventually(
                "it runs once there is quota",
                () -> assertThat(cluster.ready(job)).isEqualTo("True"));
        assertThat(QueuedCluster.check(cluster.workloadOf("llm")).path("state").asText())
                .isEqualTo("Ready");

        job("preemptor");
        cluster.eventually(
                "its preemptor gets quota, nodes and light",
                () -> assertThat(cluster.ready("preemptor")).isEqualTo("True"));
        cluster.eventually("it gave its light back", () -> {
            assertThat(cluster.says(job, "Accepted")).startsWith("False WaitingForQuota");
            assertThat(cluster.slicesOf(job)).isEmpty();
        });
        cluster.delete("preemptor");
        cluster.eventually("it runs again", () -> assertThat(cluster.ready(job)).isEqualTo("True"));
        assertThat(cluster.slicesOf(job).getFirst().getSpec().job().attempt()).isEqualTo(2);
    }

    @Test
    void anMpiJobThatKueueDoesNotQueueIsRefused() throws IOException {
        queue("mpijob.md");
        cluster.eventually(
                "it says so",
                () -> assertThat(cluster.says("llm-mpi", "Accepted"))
                        .startsWith("False InvalidTemplate")
                        .contains("Kueue queues no MPIJob of kubeflow.org/v1", "omit the label"));
        assertThat(cluster.slicesOf("llm-mpi")).isEmpty();
        assertThat(cluster.workloads()).isEmpty();
    }

    /** Applies the manifest of a page, with its workload in a queue. */
    private void queue(String page) throws IOException {
        StringBuilder manifest = new StringBuilder();
        for (String line : Files.readAllLines(PAGES.resolve(page))) {
            if (line.startsWith("    ")) {
                manifest.append(line.substring(4)).append('\n');
            } else if (!manifest.isEmpty()) {
                break;
            }
        }
        assertThat(manifest).contains(NAMED);
        String queued = manifest.toString().replace(NAMED, NAMED + ", labels: {kueue.x-k8s.io/queue-name: research}");
        applied = client.load(new ByteArrayInputStream(queued.getBytes(StandardCharsets.UTF_8)))
                .items();
        // webhooks of controllers that just started may not answer yet
        for (HasMetadata object : applied) {
            cluster.eventually(
                    object.getKind() + " is taken",
                    () -> client.resource(object).forceConflicts().serverSideApply());
        }
    }

    private void job(String name) {
        cluster.create("""
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: %s, namespace: default, labels: {kueue.x-k8s.io/queue-name: production}}
                spec: {model: {preset: gpt-7b}, parallelism: {tensor: 32}, scaleUp: {fabric: ring-a},
                       workload: {template: {spec: {containers: [{name: train, image: example/train,
                        resources: {limits: {nvidia.com/gpu: 4}}}]}}}}
                """.formatted(name));
    }
}
