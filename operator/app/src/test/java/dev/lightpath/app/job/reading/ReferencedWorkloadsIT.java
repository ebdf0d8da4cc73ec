package dev.lightpath.app.job.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.lightpath.app.job.facts.PodFacts;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceStatus;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pods of controllers that make no Jobs, and of none, as the API server has them; the controllers do not run. */
@ExtendWith(ApiServerExtension.class)
final class ReferencedWorkloadsIT {
    private static final String NAMESPACE = "referenced";
    private static final String DEFINITION = "pytorchjobs.kubeflow.org";
    private static final String GATED = "schedulingGates: [{name: lightpath.dev/circuits}], ";
    private static final String GPUS = "resources: {limits: {nvidia.com/gpu: 4}}";

    private KubernetesClient client;

    @BeforeEach
    void start(ApiServer server) {
        client = server.client();
        ApiServer.namespace(client, NAMESPACE);
    }

    @AfterEach
    void stop() {
        client.pods().inNamespace(NAMESPACE).withGracePeriod(0).delete();
        client.batch().v1().jobs().inNamespace(NAMESPACE).delete();
        client.resources(TrainingJob.class).inNamespace(NAMESPACE).delete();
        client.resources(FabricSlice.class).inNamespace(NAMESPACE).delete();
        client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(DEFINITION)
                .delete();
        client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(DEFINITION)
                .waitUntilCondition(found -> found == null, 1, TimeUnit.MINUTES);
        client.close();
    }

    @Test
    void aWorkloadWhoseKindIsNotInstalledIsNotThere() {
        WorkloadFacts.Referenced facts = read(job("kubeflow.org/v1", "PyTorchJob", "mine"));
        assertThat(facts.supported()).isTrue();
        assertThat(facts.title()).isEqualTo("PyTorchJob mine");
        assertThat(facts.run()).isEmpty();
        assertThat(read(job("trainer.kubeflow.org/v1alpha1", "TrainJob", "mine", "other"))
                        .title())
                .as("it may be there")
                .isEqualTo("JobSet of TrainJob mine");
    }

    @Test
    void podsOfAPyTorchJobHaveRanksOnceAllAreThereAndAStrangerHasNone() {
        define();
        String uid = make(GATED);
        TrainingJob job = job("kubeflow.org/v1", "PyTorchJob", "mine");
        place(job);
        pod("mine-worker-0", labels("worker", 0), owner(uid), GATED, GPUS);
        pod("forged", labels("worker", 0), owner("5a1e0f9e-0000-4000-8000-00000000dead"), GATED, GPUS);
        pod("by-hand", labels("worker", 0), "", GATED, GPUS);
        pod("launcher", labels("launcher", 0), owner(uid), GATED, "resources: {}");
        WorkloadFacts.Referenced one = read(job);
        assertThat(one.run()).hasValueSatisfying(run -> {
            assertThat(run.gated()).isTrue();
            assertThat(run.suspended()).isFalse();
        });
        assertThat(one.pods()).extracting(PodFacts::name).containsExactly("mine-worker-0");
        assertThat(one.pods()).extracting(PodFacts::rank).containsExactly(OptionalInt.empty());
        assertThat(one.launchers()).containsExactly("launcher");

        pod("mine-master-0", labels("master", 0), owner(uid), GATED, GPUS);
        assertThat(read(job).pods())
                .extracting(PodFacts::name, PodFacts::rank)
                .containsExactlyInAnyOrder(
                        tuple("mine-master-0", OptionalInt.of(0)), tuple("mine-worker-0", OptionalInt.of(1)));
    }

    @Test
    void aTemplateWithoutTheGateIsSeenBeforeAnyPod() {
        define();
        make("");
        assertThat(read(job("kubeflow.org/v1", "PyTorchJob", "mine")).run())
                .hasValueSatisfying(run -> assertThat(run.gated()).isFalse());
    }

    @Test
    void aWorkloadThatWasMadeForAnotherJobIsThatOnes() {
        TrainingJob other = job("batch/v1", "Job", "none", "other");
        client.resource(read("""
                apiVersion: batch/v1
                kind: Job
                metadata:
                  namespace: %s
                  name: mine
                  ownerReferences: [{apiVersion: lightpath.dev/v1alpha1, kind: TrainingJob, name: other, uid: %s, controller: true}]
                spec: {suspend: true, template: {spec: {restartPolicy: Never, %s containers: [{name: train, image: example/train}]}}}
                """.formatted(NAMESPACE, other.getMetadata().getUid(), GATED), Job.class))
                .create();
        assertThat(read(job("batch/v1", "Job", "mine")).taken())
                .contains("spec.workload.ref: Job mine was made for TrainingJob other from its template: refer to a"
                        + " workload of your own");
    }

    @Test
    void podsByTheirLabelAreThoseOfTheJobThatSaysSo() {
        TrainingJob job = job("v1", "Pod", "train");
        place(job);
        assertThat(read(job).run()).as("nobody is there").isEmpty();
        pod("p-1", "{lightpath.dev/job: train}", "", GATED, GPUS);
        pod("p-0", "{lightpath.dev/job: train}", "", GATED, GPUS);
        pod("other", "{lightpath.dev/job: another}", "", GATED, GPUS);
        WorkloadFacts.Referenced facts = read(job);
        assertThat(facts.run())
                .hasValueSatisfying(run -> assertThat(run.gated()).isTrue());
        assertThat(facts.problem()).isEmpty();
        assertThat(facts.pods())
                .extracting(PodFacts::name, PodFacts::rank)
                .containsExactlyInAnyOrder(tuple("p-0", OptionalInt.of(0)), tuple("p-1", OptionalInt.of(1)));
        List<Pod> listed = new ArrayList<>();
        FactsReader.of(client).read(job, new Watched(List.of(), Set.of(), Set.of()), Instant.now(), listed::addAll);
        assertThat(listed)
                .as("they need not be read again to be let go")
                .extracting(pod -> pod.getMetadata().getName())
                .containsExactlyInAnyOrder("p-0", "p-1");
        assertThat(listed)
                .allSatisfy(pod ->
                        assertThat(pod.getMetadata().getResourceVersion()).isNotNull());
        pod("ungated", "{lightpath.dev/job: train}", "", "", GPUS);
        assertThat(read(job).run())
                .hasValueSatisfying(run -> assertThat(run.gated()).isFalse());
    }

    /** Of a Kueue that the operator does not know yet. */
    @Test
    void podsBehindTheGateOfAQueueMayHaveNoNodesYet() {
        TrainingJob job = job("v1", "Pod", "train");
        String queued = "{lightpath.dev/job: train, kueue.x-k8s.io/managed: 'true'}";
        pod(
                "p-0",
                queued,
                "",
                "schedulingGates: [{name: lightpath.dev/circuits}, {name: kueue.x-k8s.io/admission}], ",
                GPUS);
        assertThat(read(job).run()).hasValueSatisfying(run -> {
            assertThat(run.suspended()).isTrue();
            assertThat(run.awaitsQuota()).isTrue();
        });
        client.pods().inNamespace(NAMESPACE).withName("p-0").withGracePeriod(0).delete();
        pod("p-1", queued, "", GATED, GPUS);
        assertThat(read(job).run())
                .as("its queue let it go")
                .hasValueSatisfying(run -> assertThat(run.suspended()).isFalse());
    }

    private WorkloadFacts.Referenced read(TrainingJob job) {
        return (WorkloadFacts.Referenced) FactsReader.of(client)
                .read(job, new Watched(List.of(), Set.of(), Set.of()), Instant.now())
                .workload();
    }

    private TrainingJob job(String version, String kind, String workload) {
        return job(version, kind, workload, "train");
    }

    private TrainingJob job(String version, String kind, String workload, String name) {
        return client.resource(read("""
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {namespace: %s, name: %s}
                spec: {model: {preset: gpt-7b}, parallelism: {tensor: 8}, scaleUp: {fabric: ring-a},
                       workload: {ref: {apiVersion: %s, kind: %s, name: %s}}}
                """.formatted(NAMESPACE, name, version, kind, workload), TrainingJob.class))
                .create();
    }

    /** On two nodes, once it has the finalizer as each job that has a slice. */
    private void place(TrainingJob job) {
        job.addFinalizer(LightpathNames.FINALIZER);
        client.resource(read("""
                apiVersion: lightpath.dev/v1alpha1
                kind: FabricSlice
                metadata: {namespace: %s, name: light, labels: {lightpath.dev/job: train}}
                spec: {fabric: ring-a, job: {name: train, uid: %s, attempt: 1},
                       demand: {scaleUp: {groups: 1, gpusPerGroup: 8}}}
                """.formatted(NAMESPACE, job.getMetadata().getUid()), FabricSlice.class))
                .create();
        client.resources(FabricSlice.class)
                .inNamespace(NAMESPACE)
                .withName("light")
                .editStatus(slice -> {
                    slice.setStatus(read(
                            "allocation: {format: 1, revision: 1, groups: [{index: 0, nodes: [n0, n1], positions: [0, 1]}]}",
                            FabricSliceStatus.class));
                    return slice;
                });
    }

    private void define() {
        CustomResourceDefinition kind = read("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: %s}
                spec:
                  group: kubeflow.org
                  names: {kind: PyTorchJob, plural: pytorchjobs}
                  scope: Namespaced
                  versions:
                  - {name: v1, served: true, storage: true,
                     schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
                """.formatted(DEFINITION), CustomResourceDefinition.class);
        client.resource(kind).create();
        client.resource(kind).waitUntilCondition(ApiServer::isEstablished, 1, TimeUnit.MINUTES);
    }

    /** Returns its UID. */
    private String make(String gate) {
        return client.resource(read("""
                apiVersion: kubeflow.org/v1
                kind: PyTorchJob
                metadata: {namespace: %s, name: mine}
                spec: {pytorchReplicaSpecs: {Worker: {replicas: 2, template: {spec: {%s containers: [{name: a, %s}]}}}}}
                """.formatted(NAMESPACE, gate, GPUS), GenericKubernetesResource.class))
                .create()
                .getMetadata()
                .getUid();
    }

    private static String labels(String role, int index) {
        return "{training.kubeflow.org/job-name: mine, training.kubeflow.org/replica-type: " + role
                + ", training.kubeflow.org/replica-index: '" + index + "'}";
    }

    private static String owner(String uid) {
        return "ownerReferences: [{apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: mine, uid: " + uid
                + ", controller: true}], ";
    }

    private void pod(String name, String labels, String owner, String gate, String resources) {
        client.resource(read("""
                apiVersion: v1
                kind: Pod
                metadata: {namespace: %s, name: %s, %s labels: %s}
                spec: {%s containers: [{name: train, image: example/train, %s}]}
                """.formatted(NAMESPACE, name, owner, labels, gate, resources), Pod.class))
                .create();
    }

    private static <T> T read(String yaml, Class<T> type) {
        return Serialization.unmarshal("---\n" + yaml, type);
    }
}
