package dev.lightpath.app.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.core.ThrowingRunnable;

/**
 * The local environment, seen by a client: its jobs in the namespace {@code default}, and what a real Kueue says of
 * them.
 */
public final class LocalCluster implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String NAMESPACE = "default";
    private static final String KUEUE = "kueue.x-k8s.io/v1beta2";

    public final KubernetesClient client;
    private final LocalEnvironment environment;
    private final boolean queues;

    /** @param options of {@code deploy/local/up} */
    public LocalCluster(int portBase, String... options) throws IOException, InterruptedException {
        queues = Arrays.asList(options).contains("--kueue");
        environment = new LocalEnvironment(portBase, options);
        client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(new File(environment.variable("KUBECONFIG"))))
                .build();
    }

    /**
     * With a real Kueue and eight nodes of four GPUs on a ring.
     *
     * @param further arguments of {@code deploy/local/up}
     */
    public static LocalCluster queued(int portBase, String... further) throws IOException, InterruptedException {
        return new LocalCluster(
                portBase,
                Stream.concat(Stream.of("--fabric", "ring", "--nodes", "8", "--kueue"), Stream.of(further))
                        .toArray(String[]::new));
    }

    /** What {@code up} printed. */
    public String variable(String name) {
        return environment.variable(name);
    }

    /** Creates an object. */
    public void create(String yaml) {
        client.resource(yaml).create();
    }

    /** Applies the objects of a manifest in its order. Webhooks of controllers that just started may not answer yet. */
    public List<HasMetadata> apply(String manifest) {
        List<HasMetadata> objects = client.load(new ByteArrayInputStream(manifest.getBytes(StandardCharsets.UTF_8)))
                .items();
        for (HasMetadata object : objects) {
            eventually(
                    object.getKind() + " is taken",
                    () -> client.resource(object).forceConflicts().serverSideApply());
        }
        return objects;
    }

    public void eventually(String what, ThrowingRunnable assertion) {
        await(what)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .pollInSameThread()
                .ignoreExceptions()
                .untilAsserted(assertion);
    }

    public List<Pod> pods() {
        return client.pods().inNamespace(NAMESPACE).list().getItems();
    }

    public List<FabricSlice> slices() {
        return client.resources(FabricSlice.class).inNamespace(NAMESPACE).list().getItems();
    }

    public List<FabricSlice> slicesOf(String job) {
        return slices().stream()
                .filter(slice -> slice.getSpec().job().name().equals(job))
                .toList();
    }

    /** Status of its condition Ready. */
    public String ready(String job) {
        return says(job, "Ready").split(" ", 2)[0];
    }

    /** Status, reason and message of a condition of a job. */
    public String says(String job, String type) {
        return client
                .resources(TrainingJob.class)
                .inNamespace(NAMESPACE)
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

    /** Deletes a TrainingJob. */
    public void delete(String job) {
        client.resources(TrainingJob.class).inNamespace(NAMESPACE).withName(job).delete();
    }

    public void deleteJobs() {
        client.resources(TrainingJob.class).inNamespace(NAMESPACE).delete();
    }

    public void deleteJobSets() {
        deleteAll("jobset.x-k8s.io/v1alpha2", "JobSet");
    }

    /** Kueue keeps the pods of a group as long as there is its Workload. */
    public void deleteWorkloads() {
        deleteAll(KUEUE, "Workload");
    }

    public void deleteAll(String apiVersion, String kind) {
        client.genericKubernetesResources(apiVersion, kind)
                .inNamespace(NAMESPACE)
                .delete();
    }

    /** After a test has deleted what it made. */
    public void awaitNothingLeft() {
        eventually("nothing is left", () -> {
            assertThat(slices()).isEmpty();
            assertThat(pods()).isEmpty();
            if (queues) {
                assertThat(workloads()).isEmpty();
            }
        });
    }

    public JsonNode clusterQueue(String name) {
        return json(client.genericKubernetesResources(KUEUE, "ClusterQueue")
                .withName(name)
                .get());
    }

    public List<JsonNode> workloads() {
        return client.genericKubernetesResources(KUEUE, "Workload").inNamespace(NAMESPACE).list().getItems().stream()
                .map(LocalCluster::json)
                .toList();
    }

    /** Of the object that owns it first. */
    public JsonNode workloadOf(String owner) {
        return workloads().stream()
                .filter(workload ->
                        workload.at("/metadata/ownerReferences/0/name").asText().equals(owner))
                .findFirst()
                .orElseThrow();
    }

    /** The operator's, of a Workload. */
    public static JsonNode check(JsonNode workload) {
        return workload.at("/status/admissionChecks/0");
    }

    /** Status of a condition. */
    public static String condition(JsonNode object, String type) {
        return find(object, type).path("status").asText();
    }

    public static JsonNode find(JsonNode object, String type) {
        for (JsonNode condition : object.at("/status/conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition;
            }
        }
        throw new AssertionError("no condition " + type + " in " + object);
    }

    public static JsonNode json(GenericKubernetesResource object) {
        return Serialization.jsonMapper().valueToTree(object);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        client.close();
        environment.close();
    }
}
