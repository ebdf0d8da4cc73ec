package dev.lightpath.app.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.monitoring.LocalCluster;
import dev.lightpath.crds.manifests.PageManifest;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
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
 * Workloads of the Training Operator and of KubeRay in queues of a real Kueue, by the manifests of
 * {@code docs/frameworks}. Eight nodes of four GPUs on a ring. Runs with {@code -Pkueue}.
 */
@Tag("kueue")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueuedControllersIT {
    private static final int PORT_BASE = 27500;
    private static final Path QUEUES = Path.of("src", "test", "resources", "kueue", "queues.yaml");
    private static final Path PAGES = Path.of("..", "..", "docs", "frameworks");
    private static final String NAMED = "metadata: {name: llm, namespace: default";

    private LocalCluster cluster;
    private KubernetesClient client;
    private List<HasMetadata> applied = List.of();

    @BeforeAll
    void start() throws IOException, InterruptedException {
        cluster = LocalCluster.queued(PORT_BASE, "--workloads", "training-operator,kuberay");
        client = cluster.client;
        client.load(Files.newInputStream(QUEUES)).serverSideApply();
    }

    @AfterEach
    void clear() {
        cluster.deleteJobs();
        applied.reversed().forEach(object -> client.resource(object).delete());
        applied = List.of();
        cluster.awaitNothingLeft();
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
        assertThat(LocalCluster.check(cluster.workloadOf("llm")).path("state").asText())
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
        String manifest = PageManifest.first(PAGES.resolve(page));
        assertThat(manifest).contains(NAMED);
        applied = cluster.apply(manifest.replace(NAMED, NAMED + ", labels: {kueue.x-k8s.io/queue-name: research}"));
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
