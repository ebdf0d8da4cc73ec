package dev.lightpath.app.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.app.monitoring.LocalCluster;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.reading.pod.JobNames;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * A real Kueue, JobSet and operator on the local environment: eight nodes of four GPUs on a ring. Runs with
 * {@code -Pkueue}.
 */
@Tag("kueue")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KueueIT {
    private static final int PORT_BASE = 24400;
    private static final Path QUEUES = Path.of("src", "test", "resources", "kueue", "queues.yaml");

    private LocalCluster cluster;
    private KubernetesClient client;

    @BeforeAll
    void start() throws IOException, InterruptedException {
        cluster = LocalCluster.queued(PORT_BASE);
        client = cluster.client;
        client.load(Files.newInputStream(QUEUES)).serverSideApply();
        for (String queue : List.of("research", "production", "generous")) {
            cluster.eventually(
                    "the ClusterQueue " + queue + " is active, as its AdmissionCheck is",
                    () -> assertThat(LocalCluster.condition(cluster.clusterQueue(queue), "Active"))
                            .isEqualTo("True"));
        }
    }

    @AfterEach
    void clear() {
        cluster.deleteJobs();
        cluster.deleteJobSets();
        cluster.awaitNothingLeft();
    }

    @AfterAll
    void stop() throws IOException, InterruptedException {
        if (cluster != null) {
            cluster.close();
        }
    }

    /** Two jobs for which there is quota, and room for one. */
    @Test
    void aJobHoldsQuotaOnlyWhileThereIsAPlaceForIt() {
        job("first", "generous", 32);
        cluster.eventually(
                "the first job runs", () -> assertThat(ready("first")).isEqualTo("True"));
        JsonNode admitted = workload("first");
        assertThat(LocalCluster.check(admitted).path("message").asText())
                .startsWith("the job has 8 nodes")
                .endsWith("the light burns and is qualified");
        assertThat(podsOf("first"))
                .hasSize(8)
                .allSatisfy(pod -> assertThat(pod.getStatus().getPhase()).isEqualTo("Running"));

        job("second", "generous", 16);
        AtomicReference<JsonNode> refused = new AtomicReference<>();
        cluster.eventually("the second gives its quota back", () -> {
            JsonNode workload = workload("second");
            assertThat(LocalCluster.condition(workload, "QuotaReserved")).isEqualTo("False");
            assertThat(LocalCluster.check(workload).path("message").asText())
                    .startsWith("there was no place (InsufficientCapacity: ");
            refused.set(workload);
        });
        assertThat(LocalCluster.check(refused.get()).path("retryCount").asInt()).isPositive();
        cluster.eventually(
                "generous counts what runs", () -> assertThat(usage("generous")).isEqualTo(32));
        cluster.eventually(
                "it says what it waits for",
                () -> assertThat(accepted("second"))
                        .startsWith("WaitingForQuota")
                        .contains("there was no place"));
        assertThat(jobSet("second").at("/spec/suspend").asBoolean()).isTrue();
        assertThat(podsOf("second")).isEmpty();

        cluster.delete("first");
        cluster.eventually(
                "the second gets place, light and quota",
                () -> assertThat(ready("second")).isEqualTo("True"));
        cluster.eventually(
                "generous counts what runs", () -> assertThat(usage("generous")).isEqualTo(16));
    }

    @Test
    void thePreemptorGetsNodesAndLightAndTheVictimRunsAgainLater() {
        job("victim", "research", 32);
        cluster.eventually(
                "the victim runs on borrowed quota",
                () -> assertThat(ready("victim")).isEqualTo("True"));
        job("preemptor", "production", 16);
        cluster.eventually(
                "the preemptor runs", () -> assertThat(ready("preemptor")).isEqualTo("True"));
        cluster.eventually(
                "production counts what runs",
                () -> assertThat(usage("production")).isEqualTo(16));
        cluster.eventually(
                "research counts what runs", () -> assertThat(usage("research")).isZero());
        assertThat(LocalCluster.condition(workload("victim"), "Admitted")).isEqualTo("False");
        assertThat(accepted("victim")).startsWith("WaitingForQuota");
        assertThat(podsOf("victim")).isEmpty();
        assertThat(cluster.slicesOf("victim")).isEmpty();

        cluster.delete("preemptor");
        cluster.eventually(
                "the victim runs again", () -> assertThat(ready("victim")).isEqualTo("True"));
        assertThat(cluster.slicesOf("victim").getFirst().getSpec().job().attempt())
                .isEqualTo(2);
        cluster.eventually(
                "research counts what runs", () -> assertThat(usage("research")).isEqualTo(32));
    }

    /** Kueue ends its pods all the same, and nobody needs its place any more. */
    @Test
    void aVictimKeepsItsNodesAndLightIfItsPreemptorGoesBeforeItsPodsHaveEnded() {
        job("victim", "research", 32);
        cluster.eventually(
                "the victim runs on borrowed quota",
                () -> assertThat(ready("victim")).isEqualTo("True"));
        podsOf("victim").forEach(pod -> finalizers(pod, "[\"example.com/slow\"]"));
        List<Pod> ending = podsOf("victim");
        try {
            job("preemptor", "production", 16);
            cluster.eventually("the preemptor waits for its place", () -> {
                assertThat(LocalCluster.condition(workload("preemptor"), "QuotaReserved"))
                        .isEqualTo("True");
                assertThat(cluster.says("preemptor", "Placed")).startsWith("False InsufficientCapacity");
                assertThat(accepted("victim")).startsWith("WaitingForQuota");
            });
            cluster.delete("preemptor");
            cluster.eventually(
                    "the victim has quota again",
                    () -> assertThat(LocalCluster.condition(workload("victim"), "Admitted"))
                            .isEqualTo("True"));
        } finally {
            ending.forEach(pod -> finalizers(pod, "null"));
        }
        cluster.eventually(
                "the victim runs again", () -> assertThat(ready("victim")).isEqualTo("True"));
        assertThat(cluster.slicesOf("victim").getFirst().getSpec().job().attempt())
                .isEqualTo(1);
        assertThat(podsOf("victim"))
                .hasSize(8)
                .extracting(pod -> pod.getMetadata().getUid())
                .doesNotContainAnyElementsOf(
                        ending.stream().map(pod -> pod.getMetadata().getUid()).toList());
    }

    private void finalizers(Pod pod, String names) {
        client.resource(pod)
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\": {\"finalizers\": " + names + "}}");
    }

    /** Kueue reads it off the JobSet, which the operator makes. */
    @Test
    void aJobThatWaitsHasThePriorityOfItsLabel() {
        job("first", "production", 32);
        cluster.eventually(
                "the first job runs", () -> assertThat(ready("first")).isEqualTo("True"));
        job("second", "production", 16);
        cluster.eventually("the second waits", () -> {
            assertThat(accepted("second")).startsWith("WaitingForQuota");
            assertThat(workload("second").at("/spec/priority").asInt()).isZero();
        });
        client.resources(TrainingJob.class)
                .inNamespace("default")
                .withName("second")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\": {\"labels\": {\"kueue.x-k8s.io/priority-class\": \"urgent\"}}}");
        cluster.eventually(
                "it waits with another priority",
                () -> assertThat(workload("second").at("/spec/priority").asInt())
                        .isEqualTo(1000));
        cluster.delete("first");
        cluster.eventually("the second runs", () -> assertThat(ready("second")).isEqualTo("True"));
    }

    @Test
    void aWorkloadThatNeedsNoLightIsAdmittedAndOneThatWaitsForNobodyIsNot() {
        jobSet("plain", "");
        cluster.eventually(
                "a JobSet without the gate runs",
                () -> assertThat(LocalCluster.condition(cluster.workloadOf("plain"), "Admitted"))
                        .isEqualTo("True"));
        jobSet("gated", "schedulingGates: [{name: lightpath.dev/circuits}],");
        cluster.eventually("a gated JobSet that no TrainingJob names holds no quota", () -> {
            assertThat(LocalCluster.check(cluster.workloadOf("gated"))
                            .path("message")
                            .asText())
                    .contains("no TrainingJob names JobSet gated in spec.workload.ref");
            assertThat(LocalCluster.condition(cluster.workloadOf("gated"), "QuotaReserved"))
                    .isEqualTo("False");
        });
        refer("refers", "gated");
        cluster.eventually(
                "once one does it gets its light and runs",
                () -> assertThat(ready("refers")).isEqualTo("True"));
    }

    /** Kueue preempts before it asks for light, so each further try would end the victim for nothing. */
    @Test
    void aWorkloadThatCannotRunPreemptsOthersOnce() {
        job("victim", "research", 32);
        cluster.eventually(
                "the victim runs on borrowed quota",
                () -> assertThat(ready("victim")).isEqualTo("True"));
        jobSet("gated", "production", "schedulingGates: [{name: lightpath.dev/circuits}],", "");
        cluster.eventually("it has no TrainingJob, and is kept from its queue", () -> {
            JsonNode workload = cluster.workloadOf("gated");
            assertThat(workload.at("/spec/active").asBoolean()).isFalse();
            assertThat(LocalCluster.check(workload).path("message").asText())
                    .startsWith("there was no place (its pods wait behind the scheduling gate");
        });
        cluster.eventually(
                "the victim runs again", () -> assertThat(ready("victim")).isEqualTo("True"));
        cluster.eventually(
                "the time is over before which it is not tried again",
                () -> assertThat(Instant.now()).isAfter(notBefore("gated").plusSeconds(5)));
        assertThat(cluster.workloadOf("gated").at("/spec/active").asBoolean()).isFalse();
        assertThat(ready("victim")).isEqualTo("True");
        assertThat(trainingJob("victim").getStatus().attempt()).isEqualTo(2);

        refer("refers", "gated");
        cluster.eventually(
                "once a TrainingJob names it, it runs",
                () -> assertThat(ready("refers")).isEqualTo("True"));
    }

    /** No preemption makes up for a node that is cordoned. */
    @Test
    void aJobThatWantsMoreNodesThanThereArePreemptsOthersOnceAndRunsWhenTheyAreBack() {
        job("victim", "research", 16);
        cluster.eventually(
                "the victim runs on borrowed quota",
                () -> assertThat(ready("victim")).isEqualTo("True"));
        String node = client.nodes().list().getItems().stream()
                .map(of -> of.getMetadata().getName())
                .filter(name -> podsOf("victim").stream()
                        .noneMatch(pod -> name.equals(pod.getSpec().getNodeName())))
                .findFirst()
                .orElseThrow();
        cordon(node, true);
        try {
            job("preemptor", "production", 32);
            cluster.eventually("it had no place, and is kept from its queue", () -> {
                assertThat(workload("preemptor").at("/spec/active").asBoolean(true))
                        .isFalse();
                assertThat(accepted("preemptor")).contains("1 cordoned");
                assertThat(LocalCluster.check(workload("preemptor"))
                                .path("message")
                                .asText())
                        .endsWith(", nor while its fabric has fewer GPUs that can be used than it wants");
            });
            cluster.eventually(
                    "the victim runs again", () -> assertThat(ready("victim")).isEqualTo("True"));
            String waits = JobNames.jobSet(trainingJob("preemptor"));
            cluster.eventually(
                    "the time is over before which it is not tried again",
                    () -> assertThat(Instant.now()).isAfter(notBefore(waits).plusSeconds(5)));
            assertThat(workload("preemptor").at("/spec/active").asBoolean(true)).isFalse();
            assertThat(ready("victim")).isEqualTo("True");
            assertThat(trainingJob("victim").getStatus().attempt()).isEqualTo(2);
        } finally {
            cordon(node, false);
        }
        cluster.eventually(
                "it runs once there are nodes enough",
                () -> assertThat(ready("preemptor")).isEqualTo("True"));
    }

    /** There are nodes enough, and a job that is in no queue has one. */
    @Test
    void aJobThatPreemptsOthersAndHasNoPlaceAllTheSameIsTriedMuchLater() {
        job("victim", "research", 16);
        cluster.eventually(
                "the victim runs on borrowed quota",
                () -> assertThat(ready("victim")).isEqualTo("True"));
        cluster.create("""
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: unqueued, namespace: default}
                spec: {model: {preset: gpt-7b}, parallelism: {tensor: 4}, scaleUp: {fabric: ring-a},
                       workload: {template: {spec: {containers: [{name: train, image: example/train,
                        resources: {limits: {nvidia.com/gpu: 4}}}]}}}}
                """);
        cluster.eventually("the other runs", () -> assertThat(ready("unqueued")).isEqualTo("True"));
        job("preemptor", "production", 32);
        cluster.eventually("it had no place, and is kept from its queue", () -> {
            assertThat(workload("preemptor").at("/spec/active").asBoolean(true)).isFalse();
            assertThat(accepted("preemptor")).contains("there was no place (InsufficientCapacity");
        });
        JsonNode refused = workload("preemptor");
        assertThat(Duration.between(
                        Instant.parse(LocalCluster.check(refused)
                                .path("lastTransitionTime")
                                .asText()),
                        notBefore(JobNames.jobSet(trainingJob("preemptor")))))
                .as("the next try would end the victim again")
                .isGreaterThan(Duration.ofMinutes(5));
        cluster.eventually(
                "the victim runs again", () -> assertThat(ready("victim")).isEqualTo("True"));
    }

    private void cordon(String node, boolean cordoned) {
        client.nodes()
                .withName(node)
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"unschedulable\": " + cordoned + "}}");
    }

    private Instant notBefore(String jobSet) {
        String noted = cluster.workloadOf(jobSet)
                .at("/metadata/annotations/lightpath.dev~1no-place")
                .asText();
        return Instant.parse(noted.substring(0, noted.indexOf(' ')));
    }

    /** Its user stops it, lets it go again, and sees that the TrainingJob is what holds it. */
    @Test
    void aJobSetWithoutTheGateRunsAgainOnceTheJobThatRefersToItIsGone() {
        jobSet("plain", "");
        cluster.eventually(
                "it runs",
                () -> assertThat(LocalCluster.condition(cluster.workloadOf("plain"), "Admitted"))
                        .isEqualTo("True"));
        refer("refers", "plain");
        cluster.eventually(
                "the job says what it cannot use",
                () -> assertThat(accepted("refers")).startsWith("GateMissing"));
        assertThat(LocalCluster.condition(cluster.workloadOf("plain"), "Admitted"))
                .isEqualTo("True");
        activate("plain", false);
        cluster.eventually(
                "it gave its quota back",
                () -> assertThat(LocalCluster.condition(cluster.workloadOf("plain"), "QuotaReserved"))
                        .isEqualTo("False"));
        activate("plain", true);
        cluster.eventually("it is kept from its queue, which says why", () -> {
            JsonNode workload = cluster.workloadOf("plain");
            assertThat(workload.at("/spec/active").asBoolean()).isFalse();
            assertThat(LocalCluster.check(workload).path("message").asText())
                    .startsWith("there was no place (GateMissing: ");
        });
        cluster.delete("refers");
        cluster.eventually(
                "it runs again",
                () -> assertThat(LocalCluster.condition(cluster.workloadOf("plain"), "Admitted"))
                        .isEqualTo("True"));
    }

    /** Each of the jobs stands for it, and the one that is refused would have it retry without end. */
    @Test
    void aWorkloadThatTwoJobsReferToKeepsTheQuotaThatOneOfThemUses() {
        for (String name : List.of("one", "other")) {
            refer(name, "shared");
        }
        jobSet("shared", "schedulingGates: [{name: lightpath.dev/circuits}],");
        cluster.eventually("one of them runs and the other is refused", () -> {
            boolean first = ready("one").equals("True");
            assertThat(ready(first ? "one" : "other")).isEqualTo("True");
            assertThat(accepted(first ? "other" : "one")).startsWith("WorkloadTaken");
            assertThat(cluster.slices()).hasSize(1);
        });
        JsonNode check = LocalCluster.check(cluster.workloadOf("shared"));
        assertThat(check.path("state").asText()).isEqualTo("Ready");
        assertThat(check.path("retryCount").asInt()).isZero();
    }

    /** Both fit the quota, and one fits the ring. */
    @Test
    void oneOfTwoJobsThatComeTogetherRunsAndTheOtherHoldsNoQuotaUntilItIsGone() {
        job("one", "generous", 32);
        job("two", "generous", 32);
        AtomicReference<String> runs = new AtomicReference<>();
        cluster.eventually("one of them runs, and the quota of the other is back", () -> {
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
        cluster.eventually("the other runs", () -> assertThat(ready(waits)).isEqualTo("True"));
    }

    /** Neither is preempted by Kueue: there is quota for both. */
    @Test
    void aJobThatLosesItsPlaceToOneOfHigherPriorityGivesItsQuotaBackAndTakesThePlaceAgainOnceItIsHigher() {
        preemption("LowerPriority");
        try {
            job("low", "generous", 32, 0);
            cluster.eventually("low runs", () -> assertThat(ready("low")).isEqualTo("True"));
            job("high", "generous", 16, 10);
            cluster.eventually("high runs", () -> assertThat(ready("high")).isEqualTo("True"));
            cluster.eventually("low holds no quota", () -> {
                assertThat(usage("generous")).isEqualTo(16);
                assertThat(accepted("low")).startsWith("WaitingForQuota");
                assertThat(podsOf("low")).isEmpty();
                assertThat(cluster.slicesOf("low")).isEmpty();
            });

            client.resources(TrainingJob.class)
                    .inNamespace("default")
                    .withName("low")
                    .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"priority\": 20}}");
            cluster.eventually("low runs again", () -> assertThat(ready("low")).isEqualTo("True"));
            cluster.eventually("high holds no quota", () -> {
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
        jobSet(
                "remote",
                "generous",
                "schedulingGates: [{name: lightpath.dev/circuits}],",
                "managedBy: kueue.x-k8s.io/multikueue,");
        refer("stays", "remote");
        cluster.eventually(
                "the job says that its pods run elsewhere",
                () -> assertThat(accepted("stays"))
                        .startsWith("NotSupported: spec.workload: MultiKueue runs its pods in another cluster"));
        cluster.eventually("its queue lets it go", () -> {
            assertThat(LocalCluster.check(cluster.workloadOf("remote"))
                            .path("state")
                            .asText())
                    .isEqualTo("Ready");
            assertThat(LocalCluster.check(cluster.workloadOf("remote"))
                            .path("message")
                            .asText())
                    .startsWith("MultiKueue runs its pods");
        });
        assertThat(cluster.slicesOf("stays")).isEmpty();
    }

    private void activate(String jobSet, boolean active) {
        client.genericKubernetesResources(Kueue.WORKLOADS)
                .inNamespace("default")
                .withName(cluster.workloadOf(jobSet).at("/metadata/name").asText())
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"active\": " + active + "}}");
    }

    private void refer(String job, String jobSet) {
        cluster.create("""
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: %s, namespace: default}
                spec: {model: {preset: gpt-7b}, parallelism: {tensor: 8}, scaleUp: {fabric: ring-a},
                       workload: {ref: {apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: %s}}}
                """.formatted(job, jobSet));
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
        cluster.create("""
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: %s, namespace: default, labels: {kueue.x-k8s.io/queue-name: %s}}
                spec: {model: {preset: gpt-7b}, parallelism: {tensor: %d}, scaleUp: {fabric: ring-a}, priority: %d,
                       workload: {template: {spec: {containers: [{name: train, image: example/train,
                        resources: {limits: {nvidia.com/gpu: 4}}}]}}}}
                """.formatted(name, queue, gpus, priority));
    }

    private void jobSet(String name, String gates) {
        jobSet(name, "generous", gates, "");
    }

    private void jobSet(String name, String queue, String gates, String managed) {
        cluster.create("""
                apiVersion: jobset.x-k8s.io/v1alpha2
                kind: JobSet
                metadata: {name: %s, namespace: default, labels: {kueue.x-k8s.io/queue-name: %s}}
                spec: {%s replicatedJobs: [{name: workers, replicas: 1, template: {spec: {completionMode: Indexed,
                       completions: 2, parallelism: 2, template: {spec: {%s restartPolicy: Never, containers: [
                        {name: train, image: example/train, resources: {limits: {nvidia.com/gpu: 4}}}]}}}}}]}
                """.formatted(name, queue, managed, gates));
    }

    private TrainingJob trainingJob(String name) {
        return client.resources(TrainingJob.class)
                .inNamespace("default")
                .withName(name)
                .get();
    }

    private String ready(String job) {
        return cluster.ready(job);
    }

    /** Reason and message of its condition Accepted. */
    private String accepted(String job) {
        return cluster.says(job, "Accepted").split(" ", 2)[1];
    }

    private List<Pod> podsOf(String job) {
        return client.pods()
                .inNamespace("default")
                .withLabel("lightpath.dev/job", job)
                .list()
                .getItems();
    }

    private JsonNode jobSet(String job) {
        return LocalCluster.json(client.genericKubernetesResources("jobset.x-k8s.io/v1alpha2", "JobSet")
                .inNamespace("default")
                .withName(JobNames.jobSet(trainingJob(job)))
                .get());
    }

    /** GPUs that a ClusterQueue counts as taken; Kueue writes it a moment after the Workloads. */
    private int usage(String clusterQueue) {
        return cluster.clusterQueue(clusterQueue)
                .at("/status/flavorsReservation/0/resources/0/total")
                .asInt();
    }

    private JsonNode workload(String job) {
        return cluster.workloadOf(JobNames.jobSet(trainingJob(job)));
    }
}
