package dev.lightpath.app.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Pods that Kueue holds back each behind a gate of its own: those of a real LeaderWorkerSet, and of nobody. Eight nodes of
 * four GPUs on a ring. Runs with {@code -Pkueue}.
 */
@Tag("kueue")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueuedPodsIT {
    private static final int PORT_BASE = 27400;
    private static final Path QUEUES = Path.of("src", "test", "resources", "kueue", "queues.yaml");
    private static final String POD_SPEC = """
            {schedulingGates: [{name: lightpath.dev/circuits}], containers: [{name: train, image: example/train,
             resources: {limits: {nvidia.com/gpu: 4}}}]}""";

    private QueuedCluster cluster;
    private KubernetesClient client;

    @BeforeAll
    void start() throws IOException, InterruptedException {
        cluster = new QueuedCluster(PORT_BASE, "--workloads", "lws");
        client = cluster.client;
        client.load(Files.newInputStream(QUEUES)).serverSideApply();
    }

    @AfterEach
    void clear() {
        client.resources(TrainingJob.class).inNamespace("default").delete();
        client.genericKubernetesResources("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet")
                .inNamespace("default")
                .delete();
        client.pods().inNamespace("default").delete();
        // Kueue keeps the pods of a group as long as there is its Workload
        client.genericKubernetesResources("kueue.x-k8s.io/v1beta2", "Workload")
                .inNamespace("default")
                .delete();
        cluster.eventually("nothing is left", () -> {
            assertThat(client.resources(FabricSlice.class)
                            .inNamespace("default")
                            .list()
                            .getItems())
                    .isEmpty();
            assertThat(pods()).isEmpty();
            assertThat(cluster.workloads()).isEmpty();
        });
    }

    @AfterAll
    void stop() throws IOException, InterruptedException {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void aLeaderWorkerSetHasLightWhileItHasQuota() {
        job("first", "production", 32);
        cluster.eventually(
                "the first runs", () -> assertThat(cluster.ready("first")).isEqualTo("True"));
        leaderWorkerSet("served", "research", 1, 8);
        refer("lws", 32, "{apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet, name: served}");
        cluster.eventually(
                "there is no quota",
                () -> assertThat(cluster.says("lws", "Accepted"))
                        .startsWith("False WaitingForQuota")
                        .contains("LeaderWorkerSet served", "Kueue says: "));
        cluster.eventually(
                "its pods are there, behind both gates",
                () -> assertThat(podsOf("served"))
                        .hasSize(8)
                        .allSatisfy(pod -> assertThat(pod.getSpec().getSchedulingGates())
                                .extracting("name")
                                .contains("lightpath.dev/circuits", "kueue.x-k8s.io/admission")));
        assertThat(cluster.slicesOf("lws")).isEmpty();

        cluster.delete("first");
        cluster.eventually(
                "it runs once there is quota",
                () -> assertThat(cluster.ready("lws")).isEqualTo("True"));
        assertThat(podsOf("served"))
                .hasSize(8)
                .allSatisfy(pod -> assertThat(pod.getStatus().getPhase()).isEqualTo("Running"));
        assertThat(check().path("state").asText()).isEqualTo("Ready");

        job("preemptor", "production", 16);
        cluster.eventually(
                "its preemptor gets quota, nodes and light",
                () -> assertThat(cluster.ready("preemptor")).isEqualTo("True"));
        cluster.eventually("it gave its light back", () -> {
            assertThat(cluster.says("lws", "Accepted")).startsWith("False WaitingForQuota");
            assertThat(cluster.slicesOf("lws")).isEmpty();
        });
        cluster.delete("preemptor");
        cluster.eventually(
                "it runs again", () -> assertThat(cluster.ready("lws")).isEqualTo("True"));
        assertThat(cluster.slicesOf("lws").getFirst().getSpec().job().attempt()).isEqualTo(2);
    }

    @Test
    void aGroupOfPodsHasLightOnceItHasQuota() {
        job("first", "production", 32);
        cluster.eventually(
                "the first runs", () -> assertThat(cluster.ready("first")).isEqualTo("True"));
        group();
        refer("group", 16, "{apiVersion: v1, kind: Pod, name: group}");
        cluster.eventually(
                "there is no quota",
                () -> assertThat(cluster.says("group", "Accepted"))
                        .startsWith("False WaitingForQuota")
                        .contains("group of pods group", "Kueue says: "));
        assertThat(cluster.slicesOf("group")).isEmpty();

        cluster.delete("first");
        cluster.eventually(
                "it runs once there is quota",
                () -> assertThat(cluster.ready("group")).isEqualTo("True"));
        assertThat(check().path("state").asText()).isEqualTo("Ready");

        job("preemptor", "production", 32);
        cluster.eventually(
                "its preemptor gets quota, nodes and light",
                () -> assertThat(cluster.ready("preemptor")).isEqualTo("True"));
        cluster.eventually(
                "it gave its light back",
                () -> assertThat(cluster.slicesOf("group")).isEmpty());
        cluster.delete("preemptor");
    }

    private void group() {
        for (int i = 0; i < 4; i++) {
            apply("""
                    apiVersion: v1
                    kind: Pod
                    metadata:
                      name: alone-%d
                      namespace: default
                      labels: {lightpath.dev/job: group, kueue.x-k8s.io/queue-name: research, kueue.x-k8s.io/pod-group-name: together}
                      annotations: {kueue.x-k8s.io/pod-group-total-count: "4"}
                    spec: %s
                    """.formatted(i, POD_SPEC));
        }
    }

    /** Kueue admits each group, and each pod without a group, by itself. */
    @Test
    void whatKueueAdmitsInPartsIsRefusedAndHoldsNoQuota() {
        leaderWorkerSet("halves", "generous", 2, 2);
        refer("lws", 16, "{apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet, name: halves}");
        cluster.eventually("it says so", () -> {
            assertThat(cluster.says("lws", "Accepted"))
                    .startsWith("False InvalidTemplate")
                    .contains("LeaderWorkerSet halves has 2 groups", "write replicas: 1");
            assertThat(cluster.workloads())
                    .hasSize(2)
                    .allSatisfy(workload -> assertThat(
                                    workload.path("spec").path("active").asBoolean(true))
                            .isFalse())
                    .anySatisfy(workload -> assertThat(workload.at("/status/admissionChecks/0/message")
                                    .asText())
                            .contains("write replicas: 1"));
        });
        assertThat(cluster.slicesOf("lws")).isEmpty();
    }

    @Test
    void podsWithoutAGroupAreRefusedAndNoneOfThemHoldsQuota() {
        for (int i = 0; i < 4; i++) {
            apply("""
                    apiVersion: v1
                    kind: Pod
                    metadata:
                      name: alone-%d
                      namespace: default
                      labels: {lightpath.dev/job: single, kueue.x-k8s.io/queue-name: generous}
                    spec: %s
                    """.formatted(i, POD_SPEC));
        }
        refer("single", 16, "{apiVersion: v1, kind: Pod, name: single}");
        cluster.eventually("it says so", () -> {
            assertThat(cluster.says("single", "Accepted"))
                    .startsWith("False InvalidTemplate")
                    .contains("one by one", "give all of them one group of Kueue");
            assertThat(cluster.workloads())
                    .hasSize(4)
                    .allSatisfy(workload -> assertThat(
                                    workload.path("spec").path("active").asBoolean(true))
                            .isFalse());
        });
        assertThat(cluster.slicesOf("single")).isEmpty();
    }

    @Test
    void aLeaderWorkerSetThatNoTrainingJobNamesHoldsNoQuota() {
        leaderWorkerSet("unlit", "generous", 1, 2);
        cluster.eventually(
                "its check says what is missing",
                () -> assertThat(check().path("message").asText())
                        .contains("no TrainingJob names LeaderWorkerSet unlit in spec.workload.ref: create one"));
    }

    private void job(String name, String queue, int gpus) {
        apply("""
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: %s, namespace: default, labels: {kueue.x-k8s.io/queue-name: %s}}
                spec: {model: {preset: gpt-7b}, parallelism: {tensor: %d}, scaleUp: {fabric: ring-a},
                       workload: {template: {spec: {containers: [{name: train, image: example/train,
                        resources: {limits: {nvidia.com/gpu: 4}}}]}}}}
                """.formatted(name, queue, gpus));
    }

    private void refer(String name, int gpus, String reference) {
        apply("""
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: %s, namespace: default}
                spec: {model: {preset: gpt-7b}, parallelism: {tensor: %d}, scaleUp: {fabric: ring-a}, workload: {ref: %s}}
                """.formatted(name, gpus, reference));
    }

    private void leaderWorkerSet(String name, String queue, int groups, int size) {
        apply("""
                apiVersion: leaderworkerset.x-k8s.io/v1
                kind: LeaderWorkerSet
                metadata: {name: %s, namespace: default, labels: {kueue.x-k8s.io/queue-name: %s}}
                spec: {replicas: %d, leaderWorkerTemplate: {size: %d, workerTemplate: {spec: %s}}}
                """.formatted(name, queue, groups, size, POD_SPEC));
    }

    /** Webhooks of controllers that just started may not answer yet. */
    private void apply(String yaml) {
        cluster.eventually("it is taken", () -> client.resource(yaml).serverSideApply());
    }

    private List<Pod> pods() {
        return client.pods().inNamespace("default").list().getItems();
    }

    private List<Pod> podsOf(String set) {
        return pods().stream()
                .filter(pod -> pod.getMetadata().getName().startsWith(set + "-"))
                .toList();
    }

    /** Of the only Workload whose pods have owners other than JobSets. */
    private JsonNode check() {
        return QueuedCluster.check(cluster.workloads().stream()
                .filter(workload -> Stream.of("LeaderWorkerSet", "Pod")
                        .anyMatch(kind -> kind.equals(
                                workload.at("/metadata/ownerReferences/0/kind").asText())))
                .findFirst()
                .orElseThrow());
    }
}
