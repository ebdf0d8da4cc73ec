package dev.lightpath.app.kueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.app.monitoring.LocalEnvironment;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.reading.pod.JobNames;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * A real Kueue, JobSet and operator on the local environment: eight nodes of four GPUs on a ring. Runs with {@code -Pkueue}.
 */
@Tag("kueue")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KueueIT {
    private static final int PORT_BASE = 24400;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Path QUEUES = Path.of("src", "test", "resources", "kueue", "queues.yaml");

    private LocalEnvironment environment;
    private KubernetesClient client;

    @BeforeAll
    void start() throws IOException, InterruptedException {
        environment = new LocalEnvironment(PORT_BASE, "--fabric", "ring", "--nodes", "8", "--kueue");
        client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(new File(environment.variable("KUBECONFIG"))))
                .build();
        client.load(Files.newInputStream(QUEUES)).serverSideApply();
        for (String queue : List.of("research", "production", "generous")) {
            eventually(
                    "the ClusterQueue " + queue + " is active, as its AdmissionCheck is",
                    () -> assertThat(condition(clusterQueue(queue), "Active")).isEqualTo("True"));
        }
    }

    @AfterEach
    void clear() {
        client.resources(TrainingJob.class).inNamespace("default").delete();
        client.genericKubernetesResources("jobset.x-k8s.io/v1alpha2", "JobSet")
                .inNamespace("default")
                .delete();
        eventually("nothing is left", () -> {
            assertThat(client.resources(FabricSlice.class)
                            .inNamespace("default")
                            .list()
                            .getItems())
                    .isEmpty();
            assertThat(client.pods().inNamespace("default").list().getItems()).isEmpty();
            assertThat(workloads()).isEmpty();
        });
    }

    @AfterAll
    void stop() throws IOException, InterruptedException {
        if (client != null) {
            client.close();
        }
        if (environment != null) {
            environment.close();
        }
    }

    /** Two jobs for which there is quota, and room for one. */
    @Test
    void aJobHoldsQuotaOnlyWhileThereIsAPlaceForIt() {
        job("first", "generous", 32);
        eventually("the first job runs", () -> assertThat(ready("first")).isEqualTo("True"));
        JsonNode admitted = workload("first");
        assertThat(check(admitted).path("message").asText())
                .startsWith("the job has 8 nodes")
                .endsWith("the light burns and is qualified");
        assertThat(podsOf("first"))
                .hasSize(8)
                .allSatisfy(pod -> assertThat(pod.getStatus().getPhase()).isEqualTo("Running"));

        job("second", "generous", 16);
        AtomicReference<JsonNode> refused = new AtomicReference<>();
        eventually("the second gives its quota back", () -> {
            JsonNode workload = workload("second");
            assertThat(condition(workload, "QuotaReserved")).isEqualTo("False");
            assertThat(check(workload).path("message").asText())
                    .startsWith("there was no place (InsufficientCapacity: ");
            refused.set(workload);
        });
        assertThat(check(refused.get()).path("retryCount").asInt()).isPositive();
        eventually(
                "generous counts what runs", () -> assertThat(usage("generous")).isEqualTo(32));
        eventually(
                "it says what it waits for",
                () -> assertThat(accepted("second"))
                        .startsWith("WaitingForQuota")
                        .contains("there was no place"));
        assertThat(jobSet("second").at("/spec/suspend").asBoolean()).isTrue();
        assertThat(podsOf("second")).isEmpty();

        client.resources(TrainingJob.class)
                .inNamespace("default")
                .withName("first")
                .delete();
        eventually(
                "the second gets place, light and quota",
                () -> assertThat(ready("second")).isEqualTo("True"));
        eventually(
                "generous counts what runs", () -> assertThat(usage("generous")).isEqualTo(16));
    }

    @Test
    void thePreemptorGetsNodesAndLightAndTheVictimRunsAgainLater() {
        job("victim", "research", 32);
        eventually(
                "the victim runs on borrowed quota",
                () -> assertThat(ready("victim")).isEqualTo("True"));
        job("preemptor", "production", 16);
        eventually("the preemptor runs", () -> assertThat(ready("preemptor")).isEqualTo("True"));
        eventually(
                "production counts what runs",
                () -> assertThat(usage("production")).isEqualTo(16));
        eventually(
                "research counts what runs", () -> assertThat(usage("research")).isZero());
        assertThat(condition(workload("victim"), "Admitted")).isEqualTo("False");
        assertThat(accepted("victim")).startsWith("WaitingForQuota");
        assertThat(podsOf("victim")).isEmpty();
        assertThat(slicesOf("victim")).isEmpty();

        client.resources(TrainingJob.class)
                .inNamespace("default")
                .withName("preemptor")
                .delete();
        eventually("the victim runs again", () -> assertThat(ready("victim")).isEqualTo("True"));
        assertThat(slicesOf("victim").getFirst().getSpec().job().attempt()).isEqualTo(2);
        eventually(
                "research counts what runs", () -> assertThat(usage("research")).isEqualTo(32));
    }

    @Test
    void aWorkloadThatNeedsNoLightIsAdmittedAndOneThatWaitsForNobodyIsNot() {
        jobSet("plain", "");
        eventually(
                "a JobSet without the gate runs",
                () -> assertThat(condition(workloadOf("plain"), "Admitted")).isEqualTo("True"));
        jobSet("gated", "schedulingGates: [{name: lightpath.dev/circuits}],");
        eventually("a gated JobSet that no TrainingJob names holds no quota", () -> {
            assertThat(check(workloadOf("gated")).path("message").asText())
                    .contains("no TrainingJob names JobSet gated in spec.workload.ref");
            assertThat(condition(workloadOf("gated"), "QuotaReserved")).isEqualTo("False");
        });
        apply("""
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: refers, namespace: default}
                spec: {model: {preset: gpt-7b}, parallelism: {tensor: 8}, scaleUp: {fabric: ring-a},
                       workload: {ref: {apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: gated}}}
                """);
        eventually(
                "once one does it gets its light and runs",
                () -> assertThat(ready("refers")).isEqualTo("True"));
    }

    /** Both fit the quota, and one fits the ring. */
    @Test
    void oneOfTwoJobsThatComeTogetherRunsAndTheOtherHoldsNoQuotaUntilItIsGone() {
        job("one", "generous", 32);
        job("two", "generous", 32);
        AtomicReference<String> runs = new AtomicReference<>();
        eventually("one of them runs, and the quota of the other is back", () -> {
            String first = ready("one").equals("True") ? "one" : "two";
            assertThat(ready(first)).isEqualTo("True");
            assertThat(usage("generous")).isEqualTo(32);
            runs.set(first);
        });
        String waits = runs.get().equals("one") ? "two" : "one";
        assertThat(podsOf(waits)).isEmpty();
        client.resources(TrainingJob.class)
                .inNamespace("default")
                .withName(runs.get())
                .delete();
        eventually("the other runs", () -> assertThat(ready(waits)).isEqualTo("True"));
    }

    /** Neither is preempted by Kueue: there is quota for both. */
    @Test
    void aJobThatLosesItsPlaceToOneOfHigherPriorityGivesItsQuotaBackAndTakesThePlaceAgainOnceItIsHigher() {
        preemption("LowerPriority");
        try {
            job("low", "generous", 32, 0);
            eventually("low runs", () -> assertThat(ready("low")).isEqualTo("True"));
            job("high", "generous", 16, 10);
            eventually("high runs", () -> assertThat(ready("high")).isEqualTo("True"));
            eventually("low holds no quota", () -> {
                assertThat(usage("generous")).isEqualTo(16);
                assertThat(accepted("low")).startsWith("WaitingForQuota");
                assertThat(podsOf("low")).isEmpty();
                assertThat(slicesOf("low")).isEmpty();
            });

            client.resources(TrainingJob.class)
                    .inNamespace("default")
                    .withName("low")
                    .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"priority\": 20}}");
            eventually("low runs again", () -> assertThat(ready("low")).isEqualTo("True"));
            eventually("high holds no quota", () -> {
                assertThat(usage("generous")).isEqualTo(32);
                assertThat(accepted("high")).startsWith("WaitingForQuota");
            });
        } finally {
            preemption("Never");
        }
    }

    /** As MultiKueue has it in the cluster of the queues. */
    @Test
    void aJobSetThatRunsInAnotherClusterGetsQuotaAndNoLightHere() {
        jobSet("remote", "schedulingGates: [{name: lightpath.dev/circuits}],", "managedBy: kueue.x-k8s.io/multikueue,");
        apply("""
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: stays, namespace: default}
                spec: {model: {preset: gpt-7b}, parallelism: {tensor: 8}, scaleUp: {fabric: ring-a},
                       workload: {ref: {apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: remote}}}
                """);
        eventually(
                "the job says that its pods run elsewhere",
                () -> assertThat(accepted("stays"))
                        .startsWith("NotSupported: spec.workload: MultiKueue runs its pods in another cluster"));
        eventually("its queue lets it go", () -> {
            assertThat(check(workloadOf("remote")).path("state").asText()).isEqualTo("Ready");
            assertThat(check(workloadOf("remote")).path("message").asText()).startsWith("MultiKueue runs its pods");
        });
        assertThat(slicesOf("stays")).isEmpty();
    }

    private void preemption(String allowed) {
        client.genericKubernetesResources("lightpath.dev/v1alpha1", "OpticalFabric")
                .withName("ring-a")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"spec\": {\"policy\": {\"preemption\": \"" + allowed + "\"}}}");
    }

    private void job(String name, String queue, int gpus) {
        job(name, queue, gpus, 0);
    }

    private void job(String name, String queue, int gpus, int priority) {
        apply("""
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: %s, namespace: default, labels: {kueue.x-k8s.io/queue-name: %s}}
                spec: {model: {preset: gpt-7b}, parallelism: {tensor: %d}, scaleUp: {fabric: ring-a}, priority: %d,
                       workload: {template: {spec: {containers: [{name: train, image: example/train,
                        resources: {limits: {nvidia.com/gpu: 4}}}]}}}}
                """.formatted(name, queue, gpus, priority));
    }

    private void jobSet(String name, String gates) {
        jobSet(name, gates, "");
    }

    private void jobSet(String name, String gates, String managed) {
        apply("""
                apiVersion: jobset.x-k8s.io/v1alpha2
                kind: JobSet
                metadata: {name: %s, namespace: default, labels: {kueue.x-k8s.io/queue-name: generous}}
                spec: {%s replicatedJobs: [{name: workers, replicas: 1, template: {spec: {completionMode: Indexed,
                       completions: 2, parallelism: 2, template: {spec: {%s restartPolicy: Never, containers: [
                        {name: train, image: example/train, resources: {limits: {nvidia.com/gpu: 4}}}]}}}}}]}
                """.formatted(name, managed, gates));
    }

    private void apply(String yaml) {
        client.resource(yaml).create();
    }

    private void eventually(String what, ThrowingRunnable assertion) {
        await(what)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .pollInSameThread()
                .ignoreExceptions()
                .untilAsserted(assertion);
    }

    private TrainingJob trainingJob(String name) {
        return client.resources(TrainingJob.class)
                .inNamespace("default")
                .withName(name)
                .get();
    }

    private String ready(String job) {
        return trainingJob(job).getStatus().conditions().stream()
                .filter(condition -> condition.getType().equals("Ready"))
                .findFirst()
                .orElseThrow()
                .getStatus();
    }

    private String accepted(String job) {
        return trainingJob(job).getStatus().conditions().stream()
                .filter(condition -> condition.getType().equals("Accepted"))
                .map(condition -> condition.getReason() + ": " + condition.getMessage())
                .findFirst()
                .orElseThrow();
    }

    private List<FabricSlice> slicesOf(String job) {
        return client.resources(FabricSlice.class).inNamespace("default").list().getItems().stream()
                .filter(slice -> slice.getSpec().job().name().equals(job))
                .toList();
    }

    private List<Pod> podsOf(String job) {
        return client.pods()
                .inNamespace("default")
                .withLabel("lightpath.dev/job", job)
                .list()
                .getItems();
    }

    private JsonNode jobSet(String job) {
        return json(client.genericKubernetesResources("jobset.x-k8s.io/v1alpha2", "JobSet")
                .inNamespace("default")
                .withName(JobNames.jobSet(trainingJob(job)))
                .get());
    }

    private JsonNode clusterQueue(String name) {
        return json(client.genericKubernetesResources("kueue.x-k8s.io/v1beta2", "ClusterQueue")
                .withName(name)
                .get());
    }

    /** GPUs that a ClusterQueue counts as taken; Kueue writes it a moment after the Workloads. */
    private int usage(String clusterQueue) {
        return clusterQueue(clusterQueue)
                .at("/status/flavorsReservation/0/resources/0/total")
                .asInt();
    }

    private List<JsonNode> workloads() {
        return client
                .genericKubernetesResources("kueue.x-k8s.io/v1beta2", "Workload")
                .inNamespace("default")
                .list()
                .getItems()
                .stream()
                .map(KueueIT::json)
                .toList();
    }

    private JsonNode workload(String job) {
        return workloadOf(JobNames.jobSet(trainingJob(job)));
    }

    private JsonNode workloadOf(String jobSet) {
        return workloads().stream()
                .filter(workload ->
                        workload.at("/metadata/ownerReferences/0/name").asText().equals(jobSet))
                .findFirst()
                .orElseThrow();
    }

    private static JsonNode check(JsonNode workload) {
        return workload.at("/status/admissionChecks/0");
    }

    private static String condition(JsonNode object, String type) {
        return find(object, type).path("status").asText();
    }

    private static JsonNode find(JsonNode object, String type) {
        for (JsonNode condition : object.at("/status/conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition;
            }
        }
        throw new AssertionError("no condition " + type + " in " + object);
    }

    private static JsonNode json(GenericKubernetesResource object) {
        return Serialization.jsonMapper().valueToTree(object);
    }
}
