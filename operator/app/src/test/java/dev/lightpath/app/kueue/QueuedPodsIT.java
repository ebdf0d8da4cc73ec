package dev.lightpath.app.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.app.monitoring.LocalCluster;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pods that Kueue holds back each behind a gate of its own: those of a real LeaderWorkerSet, and of nobody. Eight nodes
 * of four GPUs on a ring. Runs with {@code -Pkueue}.
 */
@Tag("kueue")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueuedPodsIT {
    private static final int PORT_BASE = 27400;
    private static final Path QUEUES = Path.of("src", "test", "resources", "kueue", "queues.yaml");
    private static final String POD_SPEC = """
            {schedulingGates: [{name: lightpath.dev/circuits}], containers: [{name: train, image: example/train,
             resources: {limits: {nvidia.com/gpu: 4}}}]}""";

    private static final String ONE_GPU = POD_SPEC.replace("gpu: 4", "gpu: 1");

    private LocalCluster cluster;
    private KubernetesClient client;

    @BeforeAll
    void start() throws IOException, InterruptedException {
        cluster = LocalCluster.queued(PORT_BASE, "--workloads", "lws");
        client = cluster.client;
        client.load(Files.newInputStream(QUEUES)).serverSideApply();
    }

    @AfterEach
    void clear() {
        cluster.deleteJobs();
        cluster.deleteAll("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet");
        client.pods().inNamespace("default").delete();
        cluster.deleteWorkloads();
        cluster.awaitNothingLeft();
    }

    @AfterAll
    void stop() throws IOException, InterruptedException {
        if (cluster != null) {
            cluster.close();
        }
    }

    /** A LeaderWorkerSet makes pods anew that its queue ended; those of nobody are made by their user. */
    @ParameterizedTest
    @CsvSource({"served, LeaderWorkerSet served", "together, group of pods together"})
    void podsBehindTheGateOfTheirQueueHaveLightWhileTheyHaveQuota(String name, String title) {
        boolean ofASet = title.startsWith("LeaderWorkerSet");
        job("first", "production", 32);
        cluster.eventually(
                "the first runs", () -> assertThat(cluster.ready("first")).isEqualTo("True"));
        if (ofASet) {
            leaderWorkerSet(name, "research", 1, 8);
            refer(name, 32, "{apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet, name: served}");
        } else {
            group(name, "research", 8, POD_SPEC);
            refer(name, 32, "{apiVersion: v1, kind: Pod, name: together}");
        }
        cluster.eventually(
                "there is no quota",
                () -> assertThat(cluster.says(name, "Accepted"))
                        .startsWith("False WaitingForQuota")
                        .contains(title, "Kueue says: "));
        cluster.eventually(
                "its pods are there, behind both gates",
                () -> assertThat(podsOf(name))
                        .hasSize(8)
                        .allSatisfy(pod -> assertThat(pod.getSpec().getSchedulingGates())
                                .extracting("name")
                                .contains("lightpath.dev/circuits", "kueue.x-k8s.io/admission")));
        assertThat(cluster.slicesOf(name)).isEmpty();

        cluster.delete("first");
        cluster.eventually(
                "it runs once there is quota",
                () -> assertThat(cluster.ready(name)).isEqualTo("True"));
        assertThat(podsOf(name))
                .hasSize(8)
                .allSatisfy(pod -> assertThat(pod.getStatus().getPhase()).isEqualTo("Running"));
        assertThat(check().path("state").asText()).isEqualTo("Ready");

        job("preemptor", "production", 16);
        cluster.eventually(
                "its preemptor gets quota, nodes and light",
                () -> assertThat(cluster.ready("preemptor")).isEqualTo("True"));
        cluster.eventually(
                "it gave its light back",
                () -> assertThat(cluster.slicesOf(name)).isEmpty());
        cluster.delete("preemptor");
        if (!ofASet) {
            client.pods().inNamespace("default").delete();
            cluster.eventually("its pods are gone", () -> {
                cluster.deleteWorkloads();
                assertThat(podsOf(name)).isEmpty();
            });
            group(name, "research", 8, POD_SPEC);
        }
        cluster.eventually(
                "it runs again", () -> assertThat(cluster.ready(name)).isEqualTo("True"));
        assertThat(cluster.slicesOf(name).getFirst().getSpec().job().attempt()).isEqualTo(2);
    }

    /** It asks for no GPUs, is of no group, and has the gate of the workers or not. */
    @ParameterizedTest
    @ValueSource(strings = {"", "schedulingGates: [{name: lightpath.dev/circuits}], "})
    void aLauncherThatItsQueueAdmitsByItselfRuns(String gates) {
        group("together", "generous", 4, POD_SPEC);
        String launch = "{" + gates + "containers: [{name: launch, image: example/launch}]}";
        pod("launcher", "together", "generous", "", "", launch);
        refer("together", 16, "{apiVersion: v1, kind: Pod, name: together}");
        cluster.eventually(
                "the job runs", () -> assertThat(cluster.ready("together")).isEqualTo("True"));
        cluster.eventually(
                "the launcher runs",
                () -> assertThat(client.pods()
                                .inNamespace("default")
                                .withName("launcher")
                                .get()
                                .getStatus()
                                .getPhase())
                        .isEqualTo("Running"));
    }

    /** Of a job that is never accepted, each Workload holds quota of its own until it is answered. */
    @Test
    void ofManyPodsAndGroupsNoneIsLeftWithoutAnAnswer() {
        for (int i = 0; i < 27; i++) {
            pod("alone-" + i, "single", "generous", "", "", ONE_GPU);
        }
        for (int group = 0; group < 5; group++) {
            for (int i = 0; i < 2; i++) {
                pod("of-" + group + "-" + i, "groups", "generous", "g" + group, "2", ONE_GPU);
            }
        }
        refer("single", 16, "{apiVersion: v1, kind: Pod, name: single}");
        refer("groups", 16, "{apiVersion: v1, kind: Pod, name: groups}");
        cluster.eventually(
                "each gave its quota back",
                () -> assertThat(cluster.workloads())
                        .hasSize(32)
                        .allSatisfy(workload -> assertThat(LocalCluster.check(workload)
                                        .path("retryCount")
                                        .asInt())
                                .isPositive()));
        assertThat(cluster.slices()).isEmpty();
    }

    private void group(String job, String queue, int pods, String spec) {
        for (int i = 0; i < pods; i++) {
            pod(job + "-" + i, job, queue, "all", Integer.toString(pods), spec);
        }
    }

    /** @param group blank: it has none */
    private void pod(String name, String job, String queue, String group, String count, String spec) {
        apply("""
                apiVersion: v1
                kind: Pod
                metadata:
                  name: %s
                  namespace: default
                  labels: {lightpath.dev/job: %s, kueue.x-k8s.io/queue-name: %s%s}
                  annotations: {%s}
                spec: %s
                """.formatted(
                        name,
                        job,
                        queue,
                        group.isEmpty() ? "" : ", kueue.x-k8s.io/pod-group-name: " + group,
                        group.isEmpty() ? "" : "kueue.x-k8s.io/pod-group-total-count: \"" + count + "\"",
                        spec));
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
            pod("alone-" + i, "single", "generous", "", "", POD_SPEC);
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

    private void apply(String yaml) {
        cluster.apply(yaml);
    }

    private List<Pod> podsOf(String set) {
        return cluster.pods().stream()
                .filter(pod -> pod.getMetadata().getName().startsWith(set + "-"))
                .toList();
    }

    /** Of the only Workload whose pods have owners other than JobSets. */
    private JsonNode check() {
        return LocalCluster.check(cluster.workloads().stream()
                .filter(workload -> Stream.of("LeaderWorkerSet", "Pod")
                        .anyMatch(kind -> kind.equals(
                                workload.at("/metadata/ownerReferences/0/kind").asText())))
                .findFirst()
                .orElseThrow());
    }
}
