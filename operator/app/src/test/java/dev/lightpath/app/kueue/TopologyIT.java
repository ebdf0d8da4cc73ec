package dev.lightpath.app.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.app.monitoring.LocalCluster;
import dev.lightpath.crds.manifests.PageManifest;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * A real Kueue places pods by the labels that the operator writes on Nodes: a ring of eight in stretches of four, and
 * the manifests of {@code docs/kueue.md}. Runs with {@code -Pkueue}.
 */
@Tag("kueue")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TopologyIT {
    private static final int PORT_BASE = 24500;
    private static final Path ROOT = Path.of("..", "..");
    private static final String STRETCH = "lightpath.dev/topology-stretch";
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private LocalCluster cluster;
    private KubernetesClient client;

    @BeforeAll
    void start() throws IOException, InterruptedException {
        cluster = LocalCluster.queued(PORT_BASE);
        client = cluster.client;
        assertThat(levels()).as("no fabric asks for labels").isEmpty();
        ask("{\"stretchPositions\": 4}");
        client.load(Files.newInputStream(ROOT.resolve("deploy/kubernetes/access/topology-labels.yaml")))
                .serverSideApply();
        cluster.eventually(
                "the nodes have the labels of their stretch",
                () -> assertThat(levels()).isEqualTo(inStretches(8)));
        cluster.apply(PageManifest.with(ROOT.resolve("docs/kueue.md"), "kind: Topology"));
        client.load(Files.newInputStream(Path.of("src", "test", "resources", "kueue", "topology.yaml")))
                .serverSideApply();
        cluster.eventually(
                "the ClusterQueue is active, as its flavor and Topology are",
                () -> assertThat(LocalCluster.condition(cluster.clusterQueue("near"), "Active"))
                        .isEqualTo("True"));
    }

    @AfterEach
    void clear() {
        cluster.deleteJobSets();
        faulty("n2", null);
        cluster.awaitNothingLeft();
    }

    @AfterAll
    void stop() throws IOException, InterruptedException {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void podsThatMustBeNearGetNodesOfOneStretch() {
        jobSet("small", 2);
        cluster.eventually(
                "the small one runs", () -> assertThat(nodesOf("small")).hasSize(2));
        jobSet("large", 4);
        cluster.eventually(
                "the large one runs", () -> assertThat(nodesOf("large")).hasSize(4));
        assertThat(stretchesOf("small")).hasSize(1);
        assertThat(stretchesOf("large")).hasSize(1).doesNotContainAnyElementsOf(stretchesOf("small"));

        jobSet("late", 4);
        cluster.eventually("two nodes are left, of one stretch", () -> {
            JsonNode reserved = LocalCluster.find(cluster.workloadOf("late"), "QuotaReserved");
            assertThat(reserved.path("status").asText()).isEqualTo("False");
            assertThat(reserved.path("message").asText())
                    .contains("topology \"ring\"")
                    .contains("2 out of 4");
        });
    }

    @Test
    void aNodeThatIsFaultyInItsFabricIsNoPlaceForPods() {
        faulty("n2", "smells of smoke");
        cluster.eventually("its labels are gone", () -> assertThat(levels()).doesNotContainKey("n2"));
        jobSet("whole", 4);
        cluster.eventually(
                "it runs where a stretch is whole",
                () -> assertThat(nodesOf("whole")).hasSize(4));
        assertThat(stretchesOf("whole")).containsExactly("4-7");
        faulty("n2", null);
        cluster.eventually("they are there again", () -> assertThat(levels()).isEqualTo(inStretches(8)));
    }

    @Test
    void aJobWithLightIsToldToTakeAnotherQueue() {
        cluster.create("""
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: lit, namespace: default, labels: {kueue.x-k8s.io/queue-name: lit}}
                spec: {model: {preset: gpt-7b}, parallelism: {tensor: 16}, scaleUp: {fabric: ring-a},
                       workload: {template: {spec: {containers: [{name: train, image: example/train,
                        resources: {limits: {nvidia.com/gpu: 4}}}]}}}}
                """);
        try {
            cluster.eventually(
                    "its check says why",
                    () -> assertThat(cluster.workloads())
                            .singleElement()
                            .satisfies(workload -> assertThat(LocalCluster.check(workload)
                                            .path("message")
                                            .asText())
                                    .contains("Kueue chose nodes for pod set")
                                    .contains("its flavor ring-a has a topologyName")));
            assertThat(client.pods().inNamespace("default").list().getItems()).isEmpty();
        } finally {
            cluster.deleteJobs();
        }
    }

    private void ask(String labels) {
        client.genericKubernetesResources("lightpath.dev/v1alpha1", "OpticalFabric")
                .withName("ring-a")
                .patch(MERGE, "{\"spec\": {\"topologyLabels\": " + labels + "}}");
    }

    private void faulty(String node, @Nullable String why) {
        client.nodes()
                .withName(node)
                .patch(
                        MERGE,
                        why == null
                                ? "{\"metadata\": {\"annotations\": {\"lightpath.dev/faulty\": null,"
                                        + " \"lightpath.dev/clear-fault\": \"" + Instant.now() + "\"}}}"
                                : "{\"metadata\": {\"annotations\": {\"lightpath.dev/faulty\": \"" + why + "\"}}}");
    }

    /** The stretch of each node that has one. */
    private SortedMap<String, String> levels() {
        SortedMap<String, String> levels = new TreeMap<>();
        for (Node node : client.nodes().list().getItems()) {
            String stretch = node.getMetadata().getLabels().get(STRETCH);
            if (stretch != null) {
                assertThat(node.getMetadata().getLabels()).containsEntry("lightpath.dev/topology-scale-up", "ring-a");
                levels.put(node.getMetadata().getName(), stretch);
            }
        }
        return levels;
    }

    /** By the labels of their positions, which the environment wrote. */
    private SortedMap<String, String> inStretches(int nodes) {
        SortedMap<String, String> wanted = new TreeMap<>();
        for (Node node : client.nodes().list().getItems()) {
            String position = node.getMetadata().getLabels().get("lightpath.dev/ring-position");
            wanted.put(node.getMetadata().getName(), Integer.parseInt(position) < 4 ? "0-3" : "4-7");
        }
        assertThat(wanted).hasSize(nodes);
        return wanted;
    }

    private void jobSet(String name, int pods) {
        cluster.create("""
                apiVersion: jobset.x-k8s.io/v1alpha2
                kind: JobSet
                metadata: {name: %s, namespace: default, labels: {kueue.x-k8s.io/queue-name: near}}
                spec: {replicatedJobs: [{name: workers, replicas: 1, template: {spec: {completionMode: Indexed,
                       completions: %d, parallelism: %d, template: {
                        metadata: {annotations: {kueue.x-k8s.io/podset-required-topology: lightpath.dev/topology-stretch}},
                        spec: {restartPolicy: Never, containers: [
                         {name: train, image: example/train, resources: {limits: {nvidia.com/gpu: 4}}}]}}}}}]}
                """.formatted(name, pods, pods));
    }

    /** Of the pods that run. */
    private List<String> nodesOf(String jobSet) {
        return client
                .pods()
                .inNamespace("default")
                .withLabel("jobset.sigs.k8s.io/jobset-name", jobSet)
                .list()
                .getItems()
                .stream()
                .filter(pod -> pod.getStatus().getPhase().equals("Running"))
                .map((Pod pod) -> pod.getSpec().getNodeName())
                .toList();
    }

    private Set<String> stretchesOf(String jobSet) {
        Map<String, String> levels = levels();
        return nodesOf(jobSet).stream().map(levels::get).collect(Collectors.toSet());
    }
}
