package dev.lightpath.app.job.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lightpath.app.cluster.ClusterInformers;
import dev.lightpath.app.job.facts.PodFacts;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.crds.LightpathLabels;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceStatus;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.reading.OcsIntentReader;
import dev.lightpath.reading.RingIntentReader;
import dev.lightpath.reading.pod.JobNames;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A job whose finalizer somebody took left a slice and pods behind, and there is a new job of its name. */
@ExtendWith(ApiServerExtension.class)
final class NamesakesIT {
    private static final String NAMESPACE = "namesakes";
    private static final String NODE = "namesake-";
    private static final String GONE = "5a1e0f9e-0000-4000-8000-00000000dead";
    private static final SliceId LEFT = new SliceId(NAMESPACE, "left");
    private static final SliceId NEW = new SliceId(NAMESPACE, "new");
    private static final String BY_TEMPLATE = "{template: {spec: {containers: [{name: train, image: example/train}]}}}";
    private static final String BY_REFERENCE = "{ref: {apiVersion: batch/v1, kind: Job, name: mine-%d}}";

    private KubernetesClient client;

    @BeforeEach
    void start(ApiServer server) {
        client = server.client();
        ApiServer.namespace(client, NAMESPACE);
        IntStream.range(0, 4)
                .forEach(each -> client.resource(read("metadata: {name: " + NODE + each + "}", Node.class))
                        .create());
        makeSlice(LEFT.name(), GONE);
        client.resources(FabricSlice.class)
                .inNamespace(NAMESPACE)
                .withName(LEFT.name())
                .editStatus(slice -> {
                    slice.setStatus(read(
                            "allocation: {format: 1, revision: 1, groups: [{index: 0, nodes: [namesake-0, namesake-1], positions: [0, 1]}]}",
                            FabricSliceStatus.class));
                    return slice;
                });
    }

    @AfterEach
    void stop() {
        client.pods().inNamespace(NAMESPACE).withGracePeriod(0).delete();
        client.batch().v1().jobs().inNamespace(NAMESPACE).withGracePeriod(0).delete();
        client.resources(TrainingJob.class).inNamespace(NAMESPACE).delete();
        client.resources(FabricSlice.class).inNamespace(NAMESPACE).delete();
        IntStream.range(0, 4)
                .forEach(each -> client.nodes().withName(NODE + each).delete());
        client.close();
    }

    @Test
    void podsOfAJobThatIsGoneUseItsLightWhateverItsNamesakeRuns() {
        makePod("old", makeJob("mine-1", ""), 0);
        assertUses(LEFT);

        TrainingJob namesake = makeNamesake(BY_TEMPLATE);
        assertUses(LEFT);

        makePod("workers", makeJob("workers-0", jobSetOf(namesake)), 2);
        assertUses(LEFT, NEW);
        removePod("old");
        assertUses(NEW);
    }

    @Test
    void podsThatTwoJobsNamedUseTheLightOfTheirNode() {
        Job shared = makeJob("mine-1", "");
        makePod("old", shared, 1);
        makeNamesake(BY_REFERENCE.formatted(1));
        assertUses(LEFT, NEW);

        removePod("old");
        makePod("again", shared, 3);
        assertUses(NEW);
    }

    @Test
    void podsThatTheNamesakeNamesAreNoneOfTheLightBefore() {
        makeNamesake(BY_REFERENCE.formatted(2));
        makePod("other", makeJob("mine-2", ""), 2);
        assertUses(NEW);
    }

    /** A job may ask for light alone after its pods were let go, and anybody can write what they say. */
    @Test
    void podsThatWereLetGoUseTheLightOfAJobThatAsksForNoneAndForgedOnesDoNot() {
        client.resources(FabricSlice.class)
                .inNamespace(NAMESPACE)
                .withName(LEFT.name())
                .delete();
        TrainingJob job = makeNamesake("null");
        makePinned("forged", "");
        assertUses();
        makePinned("workers", controlledBy(makeJob("workers-0", jobSetOf(job))));
        assertUses(NEW);
    }

    /** Nobody else ends them, and light waits for them. */
    @Test
    void podsOfATemplateThatTheJobNamesNoMoreAreKnown() {
        TrainingJob job = makeNamesake("null");
        makePod("stranger", makeJob("mine-1", ""), 0);
        assertThat(left(job)).isEmpty();
        String set = JobNames.jobSet(job);
        makePod("workers", makeJob(set + "-workers-0", jobSetOf(job)), 2);
        assertThat(left(job))
                .hasValueSatisfying(left ->
                        assertThat(left.pods()).extracting(PodFacts::name).containsExactly("workers"));
    }

    /** Nobody makes it again: the workload is somebody else's now. */
    @Test
    void aJobSetOfOursThatTheJobNamesStaysUntilTheJobGoes() {
        TrainingJob job = makeNamesake("null");
        String set = JobNames.jobSet(job);
        makePod("workers", makeJob(set + "-workers-0", jobSetOf(job)), 2);
        assertThat(left(naming(job, "jobset.x-k8s.io/v1alpha2", "JobSet", set, false)))
                .isEmpty();
        assertThat(left(naming(job, "jobset.x-k8s.io/v1alpha2", "JobSet", set, true)))
                .as("suspended")
                .isEmpty();
        assertThat(left(naming(job, "batch/v1", "Job", set, false)))
                .as("it names another one")
                .isPresent();
        TrainingJob going = naming(job, "jobset.x-k8s.io/v1alpha2", "JobSet", set, false);
        going.getMetadata().setDeletionTimestamp(Instant.now().toString());
        assertThat(left(going)).isPresent();
    }

    private TrainingJob naming(TrainingJob made, String apiVersion, String kind, String name, boolean suspend) {
        return read("""
                metadata: {name: train, namespace: namesakes, uid: %s}
                spec:
                  model: {preset: gpt-7b}
                  parallelism: {tensor: 8}
                  scaleUp: {fabric: ring-a}
                  suspend: %s
                  workload: {ref: {apiVersion: %s, kind: %s, name: %s}}
                """.formatted(made.getMetadata().getUid(), suspend, apiVersion, kind, name), TrainingJob.class);
    }

    private Optional<WorkloadFacts.Own> left(TrainingJob job) {
        List<Pod> pods = client.pods()
                .inNamespace(NAMESPACE)
                .withLabel(LightpathLabels.JOB, "train")
                .list()
                .getItems();
        return FactsReader.of(client)
                .read(job, new Watched(pods, Set.of(), Set.of()), Instant.now())
                .left();
    }

    /** Says which slices are used as the loop reads it, and that no others are. */
    private void assertUses(SliceId... used) {
        try (ClusterInformers informers =
                new ClusterInformers(client, new RingIntentReader("cluster"), new OcsIntentReader("cluster"))) {
            informers.start();
            await().atMost(Duration.ofSeconds(60)).until(informers::synced);
            assertThat(informers.read().slices().entrySet().stream()
                            .filter(slice -> slice.getKey().namespace().equals(NAMESPACE)
                                    && slice.getValue().workload().usesLight())
                            .map(slice -> slice.getKey()))
                    .containsExactlyInAnyOrder(used);
        }
    }

    /** With a slice of its own. */
    private TrainingJob makeNamesake(String workload) {
        TrainingJob job = client.resource(read("""
                        metadata: {name: train, namespace: namesakes}
                        spec:
                          model: {preset: gpt-7b}
                          parallelism: {tensor: 8}
                          scaleUp: {fabric: ring-a}
                          workload: %s
                        """.formatted(workload), TrainingJob.class))
                .create();
        makeSlice(NEW.name(), job.getMetadata().getUid());
        return job;
    }

    private void makeSlice(String name, String uid) {
        client.resource(read("""
                metadata: {name: %s, namespace: namesakes}
                spec:
                  fabric: ring-a
                  part: 0
                  job: {name: train, uid: %s, attempt: 1}
                  demand: {scaleUp: {groups: 1, gpusPerGroup: 8}}
                """.formatted(name, uid), FabricSlice.class)).create();
    }

    private static String jobSetOf(TrainingJob job) {
        return "ownerReferences: [{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: %s, uid: set-1, controller: true}]"
                .formatted(JobNames.jobSet(job));
    }

    private Job makeJob(String name, String owner) {
        return client.resource(read("""
                metadata:
                  name: %s
                  namespace: namesakes
                  %s
                spec:
                  suspend: true
                  template: {spec: {restartPolicy: Never, containers: [{name: train, image: example/train}]}}
                """.formatted(name, owner), Job.class)).create();
    }

    private static String controlledBy(Job job) {
        return "ownerReferences: [{apiVersion: batch/v1, kind: Job, name: %s, uid: %s, controller: true}]"
                .formatted(job.getMetadata().getName(), job.getMetadata().getUid());
    }

    /** Says that it was let go, and is bound to no node. */
    private void makePinned(String name, String owner) {
        client.resource(read("""
                metadata:
                  name: %s
                  namespace: namesakes
                  labels: {lightpath.dev/job: train, lightpath.dev/attempt: "1"}
                  annotations: {lightpath.dev/rank: "0"}
                  %s
                spec:
                  affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [
                    {matchFields: [{key: metadata.name, operator: In, values: [namesake-2]}]}]}}}
                  containers: [{name: train, image: example/train}]
                """.formatted(name, owner), Pod.class)).create();
    }

    private void makePod(String name, Job job, int node) {
        client.resource(read(
                        """
                metadata:
                  name: %s
                  namespace: namesakes
                  labels: {lightpath.dev/job: train, lightpath.dev/attempt: "1"}
                  ownerReferences: [{apiVersion: batch/v1, kind: Job, name: %s, uid: %s, controller: true}]
                spec:
                  nodeName: namesake-%d
                  containers: [{name: train, image: example/train}]
                """.formatted(
                                        name,
                                        job.getMetadata().getName(),
                                        job.getMetadata().getUid(),
                                        node),
                        Pod.class))
                .create();
    }

    private void removePod(String name) {
        client.pods().inNamespace(NAMESPACE).withName(name).withGracePeriod(0).delete();
    }

    private <T> T read(String yaml, Class<T> type) {
        return client.getKubernetesSerialization().unmarshal(yaml, type);
    }
}
