package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.app.monitoring.LocalCluster;
import dev.lightpath.crds.manifests.PageManifest;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.GroupAllocation;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc.ChaosServiceBlockingStub;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The manifests of {@code docs/frameworks} for workloads of other controllers, on the local environment with these
 * controllers: which pods train, in which order of the light. Runs with {@code -Pworkloads}.
 */
@Tag("workloads")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WorkloadsIT {
    private static final int PORT_BASE = 25400;
    private static final int NODES = 16;
    private static final Path PAGES = Path.of("..", "..", "docs", "frameworks");
    private static final String NAMESPACE = "default";
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final ObjectMapper JSON = new ObjectMapper();

    private LocalCluster cluster;
    private KubernetesClient client;
    private ManagedChannel toEmulator;
    private ChaosServiceBlockingStub chaos;
    private List<HasMetadata> applied = List.of();

    @BeforeAll
    void start() throws IOException, InterruptedException {
        cluster = new LocalCluster(
                PORT_BASE,
                "--fabric",
                "ring",
                "--nodes",
                Integer.toString(NODES),
                "--workloads",
                "lws,trainer,training-operator,kuberay");
        client = cluster.client;
        toEmulator = Grpc.newChannelBuilder(cluster.variable("EMULATOR"), InsecureChannelCredentials.create())
                .build();
        chaos = ChaosServiceGrpc.newBlockingStub(toEmulator);
    }

    @AfterEach
    void clear() {
        applied.reversed().forEach(object -> client.resource(object).delete());
        cluster.awaitNothingLeft();
        applied = List.of();
    }

    @AfterAll
    void stop() throws IOException, InterruptedException {
        if (cluster != null) {
            toEmulator.shutdownNow();
            cluster.close();
        }
    }

    @Test
    void aJobSetWithALauncher() throws IOException {
        apply("jobset.md");
        assertTrains("llm-jobset", "llm-node-0-0", "llm-node-0-1", "llm-node-0-2", "llm-node-0-3");
        assertRunsWithoutRank("llm-launcher-0-0");
    }

    @Test
    void aTrainJobWithAnInitializer() throws IOException {
        apply("trainjob.md");
        String initializer = "llm-dataset-initializer-0-0";
        cluster.eventually(
                "the light is there while the initializer runs",
                () -> assertThat(cluster.says("llm-trainjob", "FabricReady")).startsWith("True"));
        assertRunsWithoutRank(initializer);
        cluster.eventually(
                "the job says what it waits for",
                () -> assertThat(cluster.says("llm-trainjob", "Ready"))
                        .isEqualTo("False PodsPending: 0 of 4 pods run; waits for replicated job dataset-initializer to"
                                + " complete, before which TrainJob llm makes no further pods"));
        client.pods()
                .inNamespace(NAMESPACE)
                .withName(podOf(initializer).getMetadata().getName())
                .subresource("status")
                .patch(MERGE, "{\"status\": {\"phase\": \"Succeeded\"}}");
        assertTrains("llm-trainjob", "llm-node-0-0", "llm-node-0-1", "llm-node-0-2", "llm-node-0-3");
    }

    @Test
    void aLeaderWorkerSet() throws IOException {
        apply("leaderworkerset.md");
        assertTrains("llm-lws", "llm-0", "llm-0-1", "llm-0-2", "llm-0-3");
    }

    @Test
    void aPyTorchJobWhoseWorkerIsReplaced() throws IOException {
        apply("pytorchjob.md");
        String[] names = {"llm-master-0", "llm-worker-0", "llm-worker-1", "llm-worker-2"};
        assertTrains("llm-pytorch", names);
        String before = podOf("llm-worker-1").getMetadata().getUid();
        client.pods().inNamespace(NAMESPACE).withName("llm-worker-1").delete();
        cluster.eventually(
                "another worker takes its place",
                () -> assertThat(podOf("llm-worker-1").getMetadata().getUid()).isNotEqualTo(before));
        assertTrains("llm-pytorch", names);
    }

    @Test
    void anMpiJob() throws IOException {
        apply("mpijob.md");
        assertTrains("llm-mpi", "llm-worker-0", "llm-worker-1", "llm-worker-2", "llm-worker-3");
        assertRunsWithoutRank("llm-launcher");
    }

    @Test
    void aRayClusterWithAHead() throws IOException {
        apply("ray.md");
        String worker = "llm-gpus-worker-";
        assertTrains("llm-ray", worker, worker, worker, worker);
        assertRunsWithoutRank("llm-head");
    }

    @Test
    void podsOfNobody() throws IOException {
        apply("pods.md");
        assertTrains("llm-pods", "llm-0", "llm-1", "llm-2", "llm-3");
    }

    @Test
    void aLeaderThatItsWorkersWaitForIsRefused() throws IOException {
        apply("leaderworkerset.md", "  replicas: 1", "  startupPolicy: LeaderReady\n  replicas: 1");
        cluster.eventually(
                "it says what to write",
                () -> assertThat(cluster.says("llm-lws", "Accepted"))
                        .startsWith("False InvalidTemplate")
                        .contains("LeaderReady", "write LeaderCreated"));
        assertThat(cluster.slices()).isEmpty();
    }

    @Test
    void aWorkloadWithoutTheGateAndOneWithAnotherNumberOfPodsSaySo() throws IOException {
        apply("pytorchjob.md", "schedulingGates: [{name: lightpath.dev/circuits}]", "dnsPolicy: ClusterFirst");
        cluster.eventually(
                "the gate is missing",
                () -> assertThat(cluster.says("llm-pytorch", "Ready"))
                        .startsWith("False GateMissing")
                        .contains("PyTorchJob llm need spec.schedulingGates"));
        clear();
        apply("pytorchjob.md", "replicas: 3", "replicas: 2");
        cluster.eventually(
                "a pod is missing",
                () -> assertThat(cluster.says("llm-pytorch", "Ready"))
                        .startsWith("False PodsPending")
                        .contains("0 of 4 pods run; 3 pods have no rank: a job of 4 nodes takes exactly as many pods"));
    }

    /** Applies the manifest of a page, its TrainingJob last. */
    private void apply(String page, String... replaced) throws IOException {
        String manifest = PageManifest.first(PAGES.resolve(page));
        for (int i = 0; i < replaced.length; i += 2) {
            assertThat(manifest).contains(replaced[i]);
            manifest = manifest.replace(replaced[i], replaced[i + 1]);
        }
        applied = cluster.apply(manifest);
    }

    /**
     * Waits until the job is Ready and its pods, in the order of their ranks, are as their names, the record and the
     * light say. A status may be older than what the test did last.
     */
    private void assertTrains(String job, String... names) {
        cluster.eventually(job + " trains in its light", () -> {
            assertThat(cluster.says(job, "Ready")).startsWith("True Satisfied");
            FabricSlice slice = cluster.slicesOf(job).stream().findFirst().orElseThrow();
            List<GroupAllocation> groups = slice.getStatus().allocation().groups();
            assertThat(groups).hasSize(1);
            List<String> nodes = groups.getFirst().nodes();
            SortedMap<String, String> truth = RingTruth.measured(chaos);
            assertThat(truth).isEqualTo(RingTruth.recorded(NODES, List.of(slice)));
            List<Pod> pods =
                    client.pods().inNamespace(NAMESPACE).withLabel("lightpath.dev/job", job).list().getItems().stream()
                            .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                            .sorted(Comparator.comparingInt(WorkloadsIT::rank))
                            .toList();
            assertThat(pods.size()).isEqualTo(nodes.size()).isEqualTo(names.length);
            for (int rank = 0; rank < pods.size(); rank++) {
                Pod pod = pods.get(rank);
                assertThat(rank(pod)).isEqualTo(rank);
                // a Job and a RayCluster add random letters to the names of their pods
                assertThat(pod.getMetadata().getName()).startsWith(names[rank]);
                assertThat(pod.getSpec().getNodeName()).isEqualTo(nodes.get(rank));
                assertThat(pod.getStatus().getPhase()).isEqualTo("Running");
                RingTruth.assertNeighbours(light(pod), nodes, 0, rank, truth);
            }
        });
    }

    private static JsonNode light(Pod pod) {
        try {
            return JSON.readTree(pod.getMetadata().getAnnotations().get("lightpath.dev/light"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static int rank(Pod pod) {
        return Integer.parseInt(pod.getMetadata().getAnnotations().get("lightpath.dev/rank"));
    }

    private void assertRunsWithoutRank(String name) {
        cluster.eventually(name + " runs", () -> {
            Pod pod = podOf(name);
            assertThat(pod.getStatus().getPhase()).isEqualTo("Running");
            assertThat(pod.getMetadata().getLabels()).doesNotContainKey("lightpath.dev/job");
            assertThat(pod.getMetadata().getAnnotations()).doesNotContainKey("lightpath.dev/rank");
        });
    }

    /** The pod whose name begins so. */
    private Pod podOf(String name) {
        return cluster.pods().stream()
                .filter(pod -> pod.getMetadata().getName().startsWith(name))
                .findFirst()
                .orElseThrow();
    }
}
