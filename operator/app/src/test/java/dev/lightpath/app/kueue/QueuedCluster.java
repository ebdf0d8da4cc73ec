package dev.lightpath.app.kueue;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.app.monitoring.LocalEnvironment;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.core.ThrowingRunnable;

/** The local environment with a real Kueue and eight nodes of four GPUs on a ring, and what Kueue says in it. */
final class QueuedCluster implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    final KubernetesClient client;
    private final LocalEnvironment environment;

    /** @param further arguments of {@code deploy/local/up} */
    QueuedCluster(int portBase, String... further) throws IOException, InterruptedException {
        environment = new LocalEnvironment(
                portBase,
                Stream.concat(Stream.of("--fabric", "ring", "--nodes", "8", "--kueue"), Stream.of(further))
                        .toArray(String[]::new));
        client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(new File(environment.variable("KUBECONFIG"))))
                .build();
    }

    /** Creates an object. */
    void create(String yaml) {
        client.resource(yaml).create();
    }

    void eventually(String what, ThrowingRunnable assertion) {
        await(what)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .pollInSameThread()
                .ignoreExceptions()
                .untilAsserted(assertion);
    }

    JsonNode clusterQueue(String name) {
        return json(client.genericKubernetesResources("kueue.x-k8s.io/v1beta2", "ClusterQueue")
                .withName(name)
                .get());
    }

    List<JsonNode> workloads() {
        return client
                .genericKubernetesResources("kueue.x-k8s.io/v1beta2", "Workload")
                .inNamespace("default")
                .list()
                .getItems()
                .stream()
                .map(QueuedCluster::json)
                .toList();
    }

    JsonNode workloadOf(String jobSet) {
        return workloads().stream()
                .filter(workload ->
                        workload.at("/metadata/ownerReferences/0/name").asText().equals(jobSet))
                .findFirst()
                .orElseThrow();
    }

    List<FabricSlice> slicesOf(String job) {
        return client.resources(FabricSlice.class).inNamespace("default").list().getItems().stream()
                .filter(slice -> slice.getSpec().job().name().equals(job))
                .toList();
    }

    void delete(String job) {
        client.resources(TrainingJob.class).inNamespace("default").withName(job).delete();
    }

    /** Status of its condition Ready. */
    String ready(String job) {
        return says(job, "Ready").split(" ", 2)[0];
    }

    /** Status, reason and message of a condition of a job. */
    String says(String job, String type) {
        return client
                .resources(TrainingJob.class)
                .inNamespace("default")
                .withName(job)
                .get()
                .getStatus()
                .conditions()
                .stream()
                .filter(condition -> condition.getType().equals(type))
                .map(condition -> condition.getStatus() + " " + condition.getReason() + ": " + condition.getMessage())
                .findFirst()
                .orElseThrow();
    }

    void deleteJobSets() {
        client.genericKubernetesResources("jobset.x-k8s.io/v1alpha2", "JobSet")
                .inNamespace("default")
                .delete();
    }

    /** The operator's, of a Workload. */
    static JsonNode check(JsonNode workload) {
        return workload.at("/status/admissionChecks/0");
    }

    /** Status of a condition. */
    static String condition(JsonNode object, String type) {
        return find(object, type).path("status").asText();
    }

    static JsonNode find(JsonNode object, String type) {
        for (JsonNode condition : object.at("/status/conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition;
            }
        }
        throw new AssertionError("no condition " + type + " in " + object);
    }

    static JsonNode json(GenericKubernetesResource object) {
        return Serialization.jsonMapper().valueToTree(object);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        client.close();
        environment.close();
    }
}
