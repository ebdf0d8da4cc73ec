package dev.lightpath.crds.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.job.TrainingJob;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who may ask which fabric for light, and whose pods are made of a template: as the users themselves, under RBAC. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UsePolicyIT {
    private static final String TEAM = "use-team";
    private static final String OTHER = "use-other";
    private static final String TEMPLATE =
            "{template: {spec: {serviceAccountName: strong, containers: [{name: train, image: example/train}]}}}";
    private static final String REF = "{ref: {apiVersion: batch/v1, kind: Job, name: mine}}";
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private final Access access;
    private final KubernetesClient edit;
    private final KubernetesClient jobsOnly;
    private final KubernetesClient stranger;

    UsePolicyIT(ApiServer server) throws IOException {
        access = new Access(server, "users.yaml", "use-policy.yaml", "workloads-policy.yaml");
        edit = access.as("erika");
        jobsOnly = access.as("jo");
        stranger = access.as("stan");
    }

    /** Nobody aggregates roles here: what edit is in a cluster is bound as the two roles that it is made of. */
    @BeforeAll
    void bind() throws InterruptedException {
        for (String namespace : new String[] {TEAM, OTHER}) {
            access.namespace(namespace);
            role(namespace, "erika", "system:aggregate-to-edit");
            for (String user : new String[] {"erika", "jo", "stan"}) {
                role(namespace, user, "lightpath-edit");
                role(namespace, user, "lightpath-view");
            }
        }
        access.apply("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata: {name: ring-a, namespace: %s}
                rules:
                  - {apiGroups: [lightpath.dev], resources: [opticalfabrics], resourceNames: [ring-a], verbs: [use]}
                """.formatted(TEAM));
        bind(TEAM, "erika", "Role", "ring-a");
        bind(TEAM, "jo", "Role", "ring-a");
        Access.untilRefused(() -> create(stranger, TEAM, ring("ring-a", REF)), "may not use OpticalFabric ring-a");
        Access.untilTaken(() -> create(edit, TEAM, ring("ring-a", REF)));
        Access.untilTaken(() -> create(jobsOnly, TEAM, ring("ring-a", REF)));
        Access.untilRefused(() -> create(jobsOnly, TEAM, ring("ring-a", TEMPLATE)), "may not create pods");
    }

    private void role(String namespace, String user, String role) {
        bind(namespace, user, "ClusterRole", role);
    }

    private void bind(String namespace, String user, String kind, String role) {
        access.apply("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: "%1$s-%4$s", namespace: %2$s}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: %3$s, name: "%4$s"}
                subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: %1$s}]
                """.formatted(user, namespace, kind, role));
    }

    @AfterAll
    void takeBack() {
        edit.close();
        jobsOnly.close();
        stranger.close();
        access.close();
    }

    @Test
    void aFabricIsForThoseWhoMayUseItFromTheNamespaceOfTheJob() {
        assertThat(create(edit, TEAM, ring("ring-a", REF))).isEmpty();
        assertThat(create(edit, TEAM, ring("ring-b", REF)))
                .contains("spec.scaleUp.fabric: erika may not use OpticalFabric ring-b from namespace use-team; its"
                        + " administrator allows that by a RoleBinding to ClusterRole lightpath-use");
        assertThat(create(edit, OTHER, ring("ring-a", REF)))
                .contains("may not use OpticalFabric ring-a from namespace use-other");
        assertThat(create(edit, TEAM, both("ring-a", "spine")))
                .contains("spec.scaleOut.fabric: erika may not use OpticalFabric spine");
        assertThat(create(access.admin, OTHER, ring("ring-b", ""))).isEmpty();
    }

    @Test
    void lightWithoutPodsIsARightOfItsOwn() throws InterruptedException {
        assertThat(create(edit, TEAM, ring("ring-a", "")))
                .contains(
                        "spec.workload is missing, and erika may not have light of OpticalFabric ring-a without pods in"
                                + " namespace use-team: name a workload, or ask its administrator for a RoleBinding to ClusterRole"
                                + " lightpath-use-without-workload");
        role(TEAM, "jo", "lightpath-use-without-workload");
        Access.untilTaken(() -> create(jobsOnly, TEAM, ring("ring-a", "")));
    }

    @Test
    void goingBeforeOthersIsARightOfItsOwn() throws InterruptedException {
        assertThat(create(edit, TEAM, ring("ring-a", REF, "priority: 1")))
                .contains(
                        "spec.priority is 1, and erika may not go before others on OpticalFabric ring-a from namespace"
                                + " use-team: write 0 or less, or ask its administrator for a RoleBinding to ClusterRole"
                                + " lightpath-prioritize");
        assertThat(create(edit, TEAM, ring("ring-a", REF, "priority: -1"))).isEmpty();
        role(TEAM, "jo", "lightpath-prioritize");
        Access.untilTaken(() -> create(jobsOnly, TEAM, ring("ring-a", REF, "priority: 9")));
    }

    @Test
    void aPriorityClassIsForThoseWhoMayUseIt() throws InterruptedException {
        String named = "priorityClassName: urgent";
        String refused = "spec.priorityClassName: erika may not use PriorityClass urgent from namespace use-team; an"
                + " administrator allows that by a Role with the verb use on priorityclasses";
        assertThat(create(edit, TEAM, ring("ring-a", REF, named))).contains(refused);
        access.admin.resource(job(TEAM, "plain", ring("ring-a", REF))).create();
        assertThat(change("plain", "{\"spec\":{\"priorityClassName\":\"urgent\"}}"))
                .contains(refused);
        access.admin.resource(job(TEAM, "classed", ring("ring-a", REF, named))).create();
        assertThat(change("classed", "{\"spec\":{\"maxRestarts\":1}}")).isEmpty();
        assertThat(change("classed", "{\"spec\":{\"suspend\":true}}")).isEmpty();
        assertThat(change("classed", "{\"spec\":{\"suspend\":false}}")).contains(refused);
        access.apply("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata: {name: urgent, namespace: %s}
                rules:
                  - {apiGroups: [scheduling.k8s.io], resources: [priorityclasses], resourceNames: [urgent], verbs: [use]}
                """.formatted(TEAM));
        bind(TEAM, "jo", "Role", "urgent");
        Access.untilTaken(() -> create(jobsOnly, TEAM, ring("ring-a", REF, named)));
        assertThat(create(jobsOnly, TEAM, ring("ring-a", REF, "priorityClassName: other")))
                .contains("jo may not use PriorityClass other");
        assertThat(create(access.admin, TEAM, ring("ring-a", REF, named, "priority: 1")))
                .contains("write priority or priorityClassName: the class has a priority of its own");
    }

    /**
     * The operator lends its hands only to those who have them: whoever may create pods may name any service account
     * there.
     */
    @Test
    void podsAreMadeForThoseWhoMayMakePods() {
        assertThat(create(jobsOnly, TEAM, ring("ring-a", TEMPLATE)))
                .contains("spec.workload.template: pods of it are made for jo, who may not create pods in namespace"
                        + " use-team: ask for a role that allows it, as edit does, or name a workload that is there in"
                        + " spec.workload.ref");
        assertThat(create(jobsOnly, TEAM, ring("ring-a", REF))).isEmpty();
        assertThat(create(edit, TEAM, ring("ring-a", TEMPLATE))).isEmpty();
        assertThat(create(access.admin, TEAM, ring("ring-a", TEMPLATE))).isEmpty();
    }

    @Test
    void aTemplateHasALimit() {
        String limit = "KiB; at most 32 KiB are allowed: move what is large into a ConfigMap or the image";
        assertThat(create(edit, TEAM, ring("ring-a", bulky("\"" + "x".repeat(30_000) + "\""))))
                .isEmpty();
        assertThat(create(edit, TEAM, ring("ring-a", bulky("\"" + "x".repeat(35_000) + "\""))))
                .contains("spec.workload.template: it has 34 " + limit);
        assertThat(create(edit, TEAM, ring("ring-a", bulky("[" + "{a: 1},".repeat(87_000) + "1]"))))
                .as("of small objects")
                .contains(limit);
        assertThat(create(
                        edit,
                        TEAM,
                        ring("ring-a", bulky("[" + "1,".repeat(10_000) + "null, true, 0.5, -1e99, {}, []]"))))
                .as("of values of all kinds")
                .isEmpty();
        access.admin.resource(job(TEAM, "grows", ring("ring-a", TEMPLATE))).create();
        assertThat(change(
                        "grows",
                        "{\"spec\":{\"workload\":{\"template\":{\"metadata\":{\"a\":\"" + "x".repeat(300_000)
                                + "\"}}}}}"))
                .contains("spec.workload.template: it has 293 " + limit);
    }

    private static String bulky(String bulk) {
        return "{template: {spec: {containers: [{name: train, image: example/train}]}, metadata: {bulk: " + bulk
                + "}}}";
    }

    @Test
    void aChangeIsJudgedByWhatItAsksForAnew() {
        access.admin
                .resource(job(TEAM, "theirs", ring("ring-b", "", "priority: 5")))
                .create();
        assertThat(change("theirs", "{\"spec\":{\"suspend\":true,\"priority\":3}}"))
                .isEmpty();
        assertThat(change("theirs", "{\"metadata\":{\"labels\":{\"of\":\"mine\"}}}"))
                .isEmpty();
        assertThat(change("theirs", "{\"spec\":{\"parallelism\":{\"data\":64}}}"))
                .contains("may not use OpticalFabric ring-b");
        assertThat(change("theirs", "{\"spec\":{\"priority\":6}}"))
                .contains("may not go before others on OpticalFabric ring-b");
        assertThat(change("theirs", "{\"spec\":{\"suspend\":false}}"))
                .as("a suspended job gave its light back")
                .contains("may not use OpticalFabric ring-b");
        access.admin.resource(job(TEAM, "swapped", ring("ring-a", REF))).create();
        assertThat(change("swapped", "{\"spec\":{\"suspend\":true}}")).isEmpty();
        assertThat(change("swapped", "{\"spec\":{\"suspend\":false}}")).isEmpty();
        assertThat(change("swapped", "{\"spec\":{\"scaleUp\":{\"fabric\":\"ring-b\"}}}"))
                .contains("may not use OpticalFabric ring-b");
        assertThat(change("swapped", "{\"spec\":{\"workload\":null}}")).contains("spec.workload is missing");
        assertThat(
                        Access.answer(
                                () -> jobsOnly.resources(TrainingJob.class)
                                        .inNamespace(TEAM)
                                        .withName("swapped")
                                        .patch(
                                                MERGE,
                                                "{\"spec\":{\"workload\":{\"ref\":null,\"template\":{\"spec\":{\"containers\":[]}}}}}")))
                .contains("spec.workload.template: pods of it are made for jo");
    }

    private String change(String job, String patch) {
        return Access.answer(() -> edit.resources(TrainingJob.class)
                .inNamespace(TEAM)
                .withName(job)
                .patch(MERGE, patch));
    }

    private static String create(KubernetesClient as, String namespace, String spec) {
        return Access.answer(
                () -> as.resource(job(namespace, "tried", spec)).dryRun().create());
    }

    private static String ring(String fabric, String workload, String... more) {
        return "{model: {preset: gpt-7b}, parallelism: {tensor: 16}, scaleUp: {fabric: " + fabric + "}"
                + (workload.isEmpty() ? "" : ", workload: " + workload)
                + (more.length == 0 ? "" : ", " + String.join(", ", more)) + "}";
    }

    private static String both(String ring, String switches) {
        return "{model: {preset: gpt-7b}, parallelism: {tensor: 16}, scaleUp: {fabric: " + ring
                + "}, scaleOut: {fabric: " + switches + "}, workload: " + REF + "}";
    }

    private static TrainingJob job(String namespace, String name, String spec) {
        return Serialization.unmarshal("""
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: %s, namespace: %s}
                spec: %s
                """.formatted(name, namespace, spec), TrainingJob.class);
    }
}
