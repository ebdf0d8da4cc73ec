package dev.lightpath.crds.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.job.TrainingJob;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the operator's own identity is refused, tried as that identity, with its rights in force. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OperatorPolicyIT {
    private static final String HOME = "held-operator";
    private static final String SYSTEM = "lightpath-system";
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final PatchContext JSON = PatchContext.of(PatchType.JSON);
    private static final String OURS = "labels: {app.kubernetes.io/managed-by: lightpath}";
    private static final String OWNED =
            "ownerReferences: [{apiVersion: lightpath.dev/v1alpha1, kind: TrainingJob, name: llm, uid: u, controller: true}]";
    private static final String PINNED = """
            [{"op":"add","path":"/spec/affinity","value":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":
              {"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In","values":["n0"]}]}]}}}},
             {"op":"add","path":"/metadata/labels/lightpath.dev~1attempt","value":"1"},
             {"op":"remove","path":"/spec/schedulingGates/0"}]
            """;

    private final Access access;
    private final KubernetesClient operator;

    OperatorPolicyIT(ApiServer server) throws IOException {
        access = new Access(server, "operator.yaml", "operator-policy.yaml");
        operator = access.as(Access.OPERATOR);
    }

    @BeforeAll
    void prepare() throws InterruptedException {
        access.namespace(HOME);
        access.apply("apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: default, namespace: " + HOME + "}");
        access.define("jobset.x-k8s.io/v1alpha2", "JobSet", "jobsets", "Namespaced");
        access.apply(
                "{apiVersion: v1, kind: Node, metadata: {name: held, labels: {of: mine}, annotations: {of: mine}}}");
        access.admin
                .nodes()
                .withName("held")
                .editStatus(node -> new NodeBuilder(node)
                        .editOrNewStatus()
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .endCondition()
                        .endStatus()
                        .build());
        Access.untilTaken(() -> jobSet(HOME, OURS, OWNED));
        Access.untilRefused(() -> jobSet(HOME, OURS, ""), "that a TrainingJob controls only");
        Access.untilRefused(
                () -> made("{apiVersion: v1, kind: ConfigMap, metadata: {name: probe, namespace: " + SYSTEM + "}}"),
                "lightpath-readings, no others");
        Access.untilRefused(() -> node("{\"metadata\":{\"labels\":{\"of\":\"yours\"}}}"), "and no label");
        pod("probe", "default", true, "lightpath.dev/job: llm", "Job");
        Access.untilRefused(
                () -> patched("probe", "[{\"op\":\"add\",\"path\":\"/metadata/labels/a\",\"value\":\"b\"}]"),
                "no others");
    }

    @AfterAll
    void takeBack() {
        access.admin.pods().inNamespace(HOME).withGracePeriod(0).delete();
        operator.close();
        access.close();
    }

    @Test
    void jobSetsAreThoseOfTrainingJobsAndInNamespacesOfUsers() {
        assertThat(jobSet(HOME, OURS, OWNED)).isEmpty();
        assertThat(jobSet(HOME, "labels: {of: mine}", OWNED)).contains("app.kubernetes.io/managed-by=lightpath only");
        assertThat(jobSet(HOME, OURS, OWNED.replace("kind: TrainingJob", "kind: Deployment")))
                .contains("that a TrainingJob controls only");
        for (String namespace : new String[] {"kube-system", "kube-public", SYSTEM}) {
            assertThat(jobSet(namespace, OURS, OWNED))
                    .contains("no JobSet is made for a TrainingJob in namespace " + namespace
                            + ": make the job in a namespace of its own");
        }
        access.apply("{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: theirs, namespace: " + HOME
                + "}}");
        assertThat(Access.answer(() -> operator.genericKubernetesResources("jobset.x-k8s.io/v1alpha2", "JobSet")
                        .inNamespace(HOME)
                        .withName("theirs")
                        .delete()))
                .contains("that a TrainingJob controls only");
        access.apply("{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: bare, namespace: " + HOME
                + ", " + OWNED + "}}");
        assertThat(Access.answer(() -> operator.genericKubernetesResources("jobset.x-k8s.io/v1alpha2", "JobSet")
                        .inNamespace(HOME)
                        .withName("bare")
                        .delete()))
                .as("a tenant took the label off")
                .isEmpty();
    }

    @Test
    void aPodBehindTheGateIsLetGoAndNothingElseIsWrittenToAny() {
        pod("gated", "default", true, "lightpath.dev/job: llm", "Job");
        String image = "[{\"op\":\"replace\",\"path\":\"/spec/containers/0/image\",\"value\":\"evil\"}]";
        assertThat(patched("gated", image))
                .contains("removes its own scheduling gate from a pod and writes its affinity");
        assertThat(patched("gated", "[{\"op\":\"remove\",\"path\":\"/spec/schedulingGates/1\"}]"))
                .contains("removes its own scheduling gate");
        assertThat(patched(
                        "gated", "[{\"op\":\"add\",\"path\":\"/metadata/annotations\",\"value\":{\"of\":\"mine\"}}]"))
                .contains("writes labels and annotations lightpath.dev/... of a pod, no others");
        assertThat(patched("gated", PINNED)).isEmpty();
        pod("runs", "default", false, "lightpath.dev/job: llm", "Job");
        assertThat(patched("runs", image)).contains("only pods that wait behind the scheduling gate");
        assertThat(
                        patched(
                                "runs",
                                "[{\"op\":\"add\",\"path\":\"/metadata/annotations\",\"value\":{\"lightpath.dev/light\":\"{}\"}}]"))
                .as("it was not let go by the operator")
                .contains("only pods that wait behind the scheduling gate");
        access.admin.pods().inNamespace(HOME).withName("runs").edit(pod -> {
            pod.getMetadata().setAnnotations(Map.of("lightpath.dev/light", "{}", "lightpath.dev/rank", "3"));
            return pod;
        });
        String note = "[{\"op\":\"replace\",\"path\":\"/metadata/annotations/lightpath.dev~1%s\",\"value\":\"4\"}]";
        assertThat(patched("runs", note.formatted("light"))).isEmpty();
        assertThat(patched("runs", note.formatted("rank"))).contains("the annotation lightpath.dev/light");
        assertThat(patched("runs", "[{\"op\":\"remove\",\"path\":\"/metadata/annotations/lightpath.dev~1rank\"}]"))
                .contains("the annotation lightpath.dev/light");
        assertThat(patched("runs", image)).contains("the annotation lightpath.dev/light");
        assertThat(made("{apiVersion: v1, kind: Pod, metadata: {name: own, namespace: " + HOME
                        + "}, spec: {containers: [{name: a, image: b}]}}"))
                .contains("cannot create resource \"pods\"");
    }

    @Test
    void podsOfJobsOfOursAreEndedAndNoOthers() {
        pod("ours", "default", false, "lightpath.dev/job: llm", "Job");
        pod("waiting", "default", true, "of: mine", "Job");
        pod("others", "default", false, "of: mine", "Job");
        pod("daemon", "default", false, "lightpath.dev/job: llm", "DaemonSet");
        assertThat(ended("ours")).isEmpty();
        assertThat(ended("waiting")).isEmpty();
        assertThat(ended("others")).contains("the operator ends pods of Jobs only");
        assertThat(ended("daemon")).contains("the operator ends pods of Jobs only");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"metadata\":{\"labels\":{\"node-role.kubernetes.io/control-plane\":\"\"}}}",
                "{\"metadata\":{\"labels\":{\"of\":null}}}",
                "{\"metadata\":{\"annotations\":{\"lightpath.dev/faulty\":\"smoke\"}}}",
                "{\"metadata\":{\"annotations\":{\"of\":null}}}",
                "{\"spec\":{\"unschedulable\":true}}",
                "{\"spec\":{\"taints\":[{\"key\":\"a\",\"effect\":\"NoExecute\"}]}}"
            })
    void ofANodeOneAnnotationIsWritten(String patch) {
        assertThat(node("{\"metadata\":{\"annotations\":{\"lightpath.dev/dark-until\":\"2026-11-24T00:00:00Z\"}}}"))
                .isEmpty();
        assertThat(node(patch)).contains("the operator writes ");
    }

    /** Its ClusterRole is that of topology-labels.yaml. */
    @Test
    void labelsOfTheTopologyAreWrittenWhereThatIsAllowedAndNoOthers() throws IOException, InterruptedException {
        String level = "{\"metadata\":{\"labels\":{\"lightpath.dev/topology-pod\":\"pod-0\"}}}";
        assertThat(node(level)).contains("where topology-labels.yaml is applied");
        List<HasMetadata> allowed = access.applyFile("topology-labels.yaml");
        try {
            Access.untilTaken(() -> node(level));
            for (String key : List.of("topology-scale-up", "topology-stretch", "topology-scale-out")) {
                assertThat(node("{\"metadata\":{\"labels\":{\"lightpath.dev/" + key + "\":\"a\"}}}"))
                        .isEmpty();
            }
            for (String key : List.of("of", "lightpath.dev/pod", "lightpath.dev/topology-other", "a/topology-pod")) {
                assertThat(node("{\"metadata\":{\"labels\":{\"" + key + "\":\"yours\"}}}"))
                        .as(key)
                        .contains("and no label");
            }
            assertThat(node("{\"metadata\":{\"labels\":{\"of\":null,\"lightpath.dev/topology-pod\":\"a\"}}}"))
                    .contains("and no label");
            assertThat(nodeStatus(level)).contains("and no label");
        } finally {
            allowed.forEach(each -> access.admin.resource(each).delete());
        }
        Access.untilRefused(() -> node(level), "and no label");
    }

    @Test
    void ofTheStatusOfANodeTwoConditionsAreWritten() {
        assertThat(nodeStatus("{\"status\":{\"conditions\":[{\"type\":\"OpticalFabricReady\",\"status\":\"True\"}]}}"))
                .isEmpty();
        assertThat(nodeStatus("{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"False\"}]}}"))
                .contains("the conditions OpticalFabricReady and OpticalLinkDegraded of a Node, nothing else");
        assertThat(nodeStatus("{\"status\":{\"capacity\":{\"nvidia.com/gpu\":\"0\"}}}"))
                .contains("nothing else of its status");
        assertThat(nodeStatus("{\"metadata\":{\"labels\":{\"of\":\"yours\"}}}")).contains("and no label");
    }

    @Test
    void wishesAreOtherPeoplesAndWhatItMakesHasItsName() {
        access.apply("""
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: llm, namespace: %s}
                spec: {model: {preset: gpt-7b}, parallelism: {tensor: 16}, scaleUp: {fabric: ring-a}}
                """.formatted(HOME));
        assertThat(job("{\"metadata\":{\"finalizers\":[\"lightpath.dev/light\"]}}"))
                .isEmpty();
        assertThat(job("{\"metadata\":{\"finalizers\":[\"another.dev/one\"]}}")).contains("its own finalizer");
        assertThat(job("{\"spec\":{\"priority\":7}}")).contains("its own finalizer and the status, nothing else");
        assertThat(job("{\"metadata\":{\"labels\":{\"of\":\"mine\"}}}")).contains("its own finalizer");
        assertThat(made("{apiVersion: v1, kind: ConfigMap, metadata: {name: lightpath-epoch, namespace: " + SYSTEM
                        + "}}"))
                .isEmpty();
        assertThat(made("{apiVersion: v1, kind: ConfigMap, metadata: {name: kube-root-ca.crt, namespace: " + SYSTEM
                        + "}}"))
                .contains("the operator writes the ConfigMaps lightpath-epoch and lightpath-readings, no others");
        assertThat(made("{apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: other, namespace: " + SYSTEM
                        + "}}"))
                .contains(
                        "the operator writes the Leases lightpath-operator and lightpath-rest, those of fabrics and those of its replicas, no others");
        assertThat(made("{apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: lightpath-fabric-ring-a,"
                        + " namespace: " + SYSTEM + "}}"))
                .isEmpty();
        String template = "{apiVersion: v1, kind: PodTemplate, metadata: {name: trial, namespace: " + HOME
                + "}, template: {spec: {containers: [{name: a, image: b}]}}}";
        assertThat(made(template)).isEmpty();
        assertThat(Access.answer(() -> operator.resource(Access.read(template)).create()))
                .contains("the operator makes PodTemplates in dry runs only");
    }

    /** Its role allows it to delete any: names of fabrics and replicas are not known to a role. */
    @Test
    void leasesAreDeletedOnlyOfFabricsAndReplicas() throws IOException, InterruptedException {
        access.applyFile("shared-fabrics.yaml");
        for (String name : List.of("of-somebody-else", "lightpath-operator", "lightpath-rest")) {
            lease(name);
            Access.untilRefused(
                    () -> deleted(name), "the operator deletes Leases of fabrics and of its replicas, no others");
        }
        for (String name : List.of("lightpath-fabric-gone", "lightpath-replica-gone")) {
            lease(name);
            assertThat(deleted(name)).isEmpty();
            assertThat(access.admin.leases().inNamespace(SYSTEM).withName(name).get())
                    .isNull();
        }
    }

    private void lease(String name) {
        access.apply("{apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: " + name + ", namespace: "
                + SYSTEM + "}}");
    }

    private String deleted(String name) {
        return Access.answer(
                () -> operator.leases().inNamespace(SYSTEM).withName(name).delete());
    }

    @Test
    void secretsAreReadByTheNameThatItsRoleHas() {
        access.namespace("lightpath-drivers");
        secret(SYSTEM, "lightpath-driver-client");
        secret(SYSTEM, "of-somebody-else");
        secret("lightpath-drivers", "lightpath-driver-client");
        secret(HOME, "lightpath-driver-client");

        assertThat(read(SYSTEM, "lightpath-driver-client")).isEmpty();
        assertThat(read(SYSTEM, "of-somebody-else")).contains("cannot get resource \"secrets\"");
        assertThat(read("lightpath-drivers", "lightpath-driver-client")).contains("cannot get resource \"secrets\"");
        assertThat(read(HOME, "lightpath-driver-client")).contains("cannot get resource \"secrets\"");
        assertThat(Access.answer(() -> operator.secrets().inNamespace(SYSTEM).list()))
                .contains("cannot list resource \"secrets\"");
    }

    @Test
    void nothingIsTouchedAmongTheDrivers() {
        access.namespace("lightpath-drivers");
        access.apply("apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: default, namespace: lightpath-drivers}");
        access.apply("""
                apiVersion: v1
                kind: Pod
                metadata:
                  name: driver
                  namespace: lightpath-drivers
                  labels: {lightpath.dev/job: llm}
                  ownerReferences: [{apiVersion: batch/v1, kind: Job, name: a, uid: u, controller: true}]
                spec:
                  containers: [{name: driver, image: example/driver}]
                  schedulingGates: [{name: lightpath.dev/circuits}]
                """);
        assertThat(jobSet("lightpath-drivers", OURS, OWNED)).contains("no JobSet is made");
        assertThat(Access.answer(() -> operator.pods()
                        .inNamespace("lightpath-drivers")
                        .withName("driver")
                        .dryRun(true)
                        .delete()))
                .contains("touches no pod in namespace lightpath-drivers");
    }

    private void secret(String namespace, String name) {
        access.apply("{apiVersion: v1, kind: Secret, metadata: {name: " + name + ", namespace: " + namespace
                + "}, stringData: {a: b}}");
    }

    private String read(String namespace, String name) {
        return Access.answer(
                () -> operator.secrets().inNamespace(namespace).withName(name).get());
    }

    /** By its {@code ttlSecondsAfterFinished}: a stolen token ends no training. */
    @Test
    void theOperatorDeletesJobsThatEndedAndAreNotToStay() {
        for (String end : List.of("Complete", "Failed", "none")) {
            for (String spec : List.of("", ", ttlSecondsAfterFinished: 60")) {
                String name = (end + (spec.isEmpty() ? "-stays" : "-goes")).toLowerCase(Locale.ROOT);
                access.apply("""
                        apiVersion: lightpath.dev/v1alpha1
                        kind: TrainingJob
                        metadata: {name: %s, namespace: %s}
                        spec: {model: {preset: gpt-7b}, parallelism: {tensor: 16}, scaleUp: {fabric: ring-a}%s}
                        """.formatted(name, HOME, spec));
                access.admin
                        .resources(TrainingJob.class)
                        .inNamespace(HOME)
                        .withName(name)
                        .subresource("status")
                        .patch(
                                MERGE,
                                "{\"status\":{\"conditions\":[{\"type\":\"" + end
                                        + "\",\"status\":\"True\",\"reason\":\"Tried\",\"message\":\"\","
                                        + "\"lastTransitionTime\":\"2026-01-01T00:00:00Z\"}]}}");
                String answer = Access.answer(() -> operator.resources(TrainingJob.class)
                        .inNamespace(HOME)
                        .withName(name)
                        .dryRun(true)
                        .delete());
                if (spec.isEmpty() || end.equals("none")) {
                    assertThat(answer)
                            .as(name)
                            .contains("the operator deletes TrainingJobs that ended and have"
                                    + " spec.ttlSecondsAfterFinished, no others");
                } else {
                    assertThat(answer).as(name).isEmpty();
                }
            }
        }
    }

    private String job(String patch) {
        return Access.answer(() -> operator.resources(TrainingJob.class)
                .inNamespace(HOME)
                .withName("llm")
                .dryRun(true)
                .patch(MERGE, patch));
    }

    private String jobSet(String namespace, String label, String owner) {
        return made("{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: tried, namespace: "
                + namespace + ", " + label + (owner.isEmpty() ? "" : ", " + owner) + "}}");
    }

    /** Tried, not made. */
    private String made(String yaml) {
        return Access.answer(() -> operator.resource(Access.read(yaml)).dryRun().create());
    }

    private String node(String patch) {
        return Access.answer(
                () -> operator.nodes().withName("held").dryRun(true).patch(MERGE, patch));
    }

    private String nodeStatus(String patch) {
        PatchContext status = new PatchContext.Builder()
                .withPatchType(PatchType.STRATEGIC_MERGE)
                .withDryRun(List.of("All"))
                .build();
        return Access.answer(
                () -> operator.nodes().withName("held").subresource("status").patch(status, patch));
    }

    private String patched(String pod, String patch) {
        return Access.answer(() ->
                operator.pods().inNamespace(HOME).withName(pod).dryRun(true).patch(JSON, patch));
    }

    private String ended(String pod) {
        return Access.answer(() ->
                operator.pods().inNamespace(HOME).withName(pod).dryRun(true).delete());
    }

    private void pod(String name, String account, boolean gated, String label, String controller) {
        Pod pod = Serialization.unmarshal(
                """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: %1$s
                  namespace: %2$s
                  labels: {%3$s}
                  ownerReferences: [{apiVersion: %4$s, kind: %5$s, name: a, uid: u, controller: true}]
                spec:
                  serviceAccountName: %6$s
                  containers: [{name: train, image: example/train}]
                """.formatted(name, HOME, label, controller.equals("Job") ? "batch/v1" : "apps/v1", controller, account)
                        + (gated ? "  schedulingGates: [{name: lightpath.dev/circuits}, {name: theirs/gate}]\n" : ""),
                Pod.class);
        access.admin.resource(pod).create();
    }
}
