package dev.lightpath.crds.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Who may say that routes follow circuits, and that a router says nothing else: as the users themselves, under RBAC.
 */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RoutesPolicyIT {
    private static final String NAMESPACE = "routed-slices";
    private static final String ROUTED = "lightpath.dev/routed-revision";
    private static final String COLLECTOR = "system:serviceaccount:kube-system:generic-garbage-collector";
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private final Access access;
    /** May write slices in its namespace, as no shipped role lets a tenant. */
    private final KubernetesClient tenant;

    /** Has ClusterRole lightpath-router in the whole cluster. */
    private final KubernetesClient router;

    /** Has it in this namespace. */
    private final KubernetesClient near;

    /** May patch slices, and has the verb for another fabric. */
    private final KubernetesClient foreign;

    private final KubernetesClient fabricAdmin;
    private final KubernetesClient operator;
    private final KubernetesClient collector;

    RoutesPolicyIT(ApiServer server) throws IOException {
        access = new Access(server, "users.yaml", "operator.yaml", "ledger-policy.yaml");
        tenant = access.as("tessa");
        router = access.as("system:serviceaccount:routing:router");
        near = access.as("nora");
        foreign = access.as("fred");
        fabricAdmin = access.as("frieda");
        operator = access.as(Access.OPERATOR);
        collector = access.as(COLLECTOR);
    }

    @BeforeAll
    void bind() throws InterruptedException {
        access.namespace(NAMESPACE);
        role("slices", "fabricslices", "get, patch, update", "");
        role("other-fabric", "opticalfabrics", "route", "resourceNames: [ring-b], ");
        bind("RoleBinding", "tessa", "Role", "slices");
        bind("ClusterRoleBinding", "system:serviceaccount:routing:router", "ClusterRole", "lightpath-router");
        bind("RoleBinding", "nora", "ClusterRole", "lightpath-router");
        bind("RoleBinding", "fred", "Role", "slices");
        bind("RoleBinding", "fred", "Role", "other-fabric");
        bind("ClusterRoleBinding", "frieda", "ClusterRole", "lightpath-fabric-admin");
        bind("ClusterRoleBinding", COLLECTOR, "ClusterRole", "cluster-admin");
        Access.untilTaken(() -> make("probe"));
        // another value each time: to write the same again changes nothing, which the policy allows
        AtomicInteger tries = new AtomicInteger();
        Access.untilRefused(
                () -> annotate(tenant, "probe", ROUTED, "\"" + tries.incrementAndGet() + "\""),
                "may not say that routes follow");
        for (KubernetesClient each : new KubernetesClient[] {router, near}) {
            Access.untilTaken(() -> annotate(each, "probe", ROUTED, "\"0\""));
        }
        Access.untilTaken(() -> annotate(fabricAdmin, "probe", "example.com/note", "\"a\""));
        Access.untilTaken(() -> annotate(collector, "probe", "example.com/note", "\"b\""));
    }

    private void role(String name, String resource, String verbs, String names) {
        access.apply("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata: {name: %s, namespace: %s}
                rules: [{apiGroups: [lightpath.dev], resources: [%s], %sverbs: [%s]}]
                """.formatted(name, NAMESPACE, resource, names, verbs));
    }

    private void bind(String kind, String user, String roleKind, String role) {
        access.apply("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: %1$s
                metadata: {name: "routes-policy-%2$s-%4$s"%5$s}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: %3$s, name: %4$s}
                subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: "%2$s"}]
                """.formatted(
                        kind, user, roleKind, role, kind.equals("RoleBinding") ? ", namespace: " + NAMESPACE : ""));
    }

    private String make(String name) {
        return Access.answer(
                () -> operator.resource(Serialization.unmarshal("""
                        apiVersion: lightpath.dev/v1alpha1
                        kind: FabricSlice
                        metadata: {name: %s, namespace: %s, labels: {lightpath.dev/job: llm}, finalizers: [lightpath.dev/light]}
                        spec:
                          fabric: ring-a
                          part: 0
                          job: {name: llm, uid: uid-1, attempt: 1}
                          demand: {scaleUp: {groups: 1, gpusPerGroup: 8}}
                        """.formatted(name, NAMESPACE), FabricSlice.class))
                        .create());
    }

    @BeforeEach
    void begin() {
        assertThat(annotate(router, "probe", ROUTED, "null")).isEmpty();
    }

    @AfterAll
    void takeBack() {
        patch(access.admin, "probe", "{\"metadata\": {\"finalizers\": null}}");
        access.admin.resources(FabricSlice.class).inNamespace(NAMESPACE).delete();
        for (KubernetesClient each :
                new KubernetesClient[] {tenant, router, near, foreign, fabricAdmin, operator, collector}) {
            each.close();
        }
        access.close();
    }

    private static String patch(KubernetesClient client, String name, String body) {
        return Access.answer(() -> client.resources(FabricSlice.class)
                .inNamespace(NAMESPACE)
                .withName(name)
                .patch(MERGE, body));
    }

    private static String annotate(KubernetesClient client, String name, String key, String value) {
        return patch(client, name, "{\"metadata\": {\"annotations\": {\"" + key + "\": " + value + "}}}");
    }

    private Map<String, String> annotations() {
        return access.admin
                .resources(FabricSlice.class)
                .inNamespace(NAMESPACE)
                .withName("probe")
                .get()
                .getMetadata()
                .getAnnotations();
    }

    @Test
    void aRouterAcknowledgesAndTakesItBack() {
        assertThat(annotate(router, "probe", ROUTED, "\"3\"")).isEmpty();
        assertThat(annotations()).containsEntry(ROUTED, "3");
        assertThat(annotate(router, "probe", ROUTED, "null")).isEmpty();
        assertThat(annotations()).doesNotContainKey(ROUTED);
        assertThat(annotate(near, "probe", ROUTED, "\"4\"")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"9\"", "null"})
    void whoHasNotTheVerbOnTheFabricSaysNothingOfRoutes(String value) {
        assertThat(annotate(router, "probe", ROUTED, "\"3\"")).isEmpty();
        assertThat(annotate(tenant, "probe", ROUTED, value))
                .contains("metadata.annotations[lightpath.dev/routed-revision]: tessa may not say that routes follow"
                        + " circuits of OpticalFabric ring-a; whoever binds ClusterRole lightpath-router allows that");
        assertThat(annotate(foreign, "probe", ROUTED, value)).contains("fred may not say that routes follow");
        assertThat(annotations()).containsEntry(ROUTED, "3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"metadata\": {\"annotations\": {\"lightpath.dev/force-release\": \"now\"}}}",
                "{\"metadata\": {\"annotations\": {\"lightpath.dev/recorded\": \"true\"}}}",
                "{\"metadata\": {\"annotations\": {\"lightpath.dev/routed-revision\": \"3\", \"example.com/note\": \"c\"}}}",
                "{\"metadata\": {\"annotations\": null}}",
                "{\"metadata\": {\"labels\": {\"lightpath.dev/job\": \"other\"}}}",
                "{\"metadata\": {\"labels\": null}}",
                "{\"metadata\": {\"finalizers\": null}}",
                "{\"metadata\": {\"ownerReferences\": [{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"name\": \"a\", \"uid\": \"u\"}]}}"
            })
    void aRouterChangesNothingElseOfASlice(String body) {
        assertThat(patch(router, "probe", body)).contains("router may not change that of a FabricSlice");
        assertThat(patch(tenant, "probe", body)).contains("tessa may not ");
        assertThat(annotations()).containsOnlyKeys("example.com/note");
    }

    @Test
    void aRouterWritesNoRecordAndDeletesNothing() {
        assertThat(patch(router, "probe", "{\"spec\": {\"fabric\": \"ring-b\"}}"))
                .contains("cannot be changed");
        String record = Access.answer(() -> router.resources(FabricSlice.class)
                .inNamespace(NAMESPACE)
                .withName("probe")
                .subresource("status")
                .patch(MERGE, "{\"status\": {\"allocation\": {\"format\": 1, \"revision\": 1}}}"));
        assertThat(record).contains("cannot patch resource \"fabricslices/status\"");
        assertThat(Access.answer(() -> router.resources(FabricSlice.class)
                        .inNamespace(NAMESPACE)
                        .withName("probe")
                        .delete()))
                .contains("cannot delete resource");
        assertThat(Access.answer(() ->
                        router.resources(OpticalFabric.class).withName("ring-a").delete()))
                .contains("cannot delete resource \"opticalfabrics\"");
    }

    @Test
    void aFabricAdministratorAcknowledgesAndReleasesByHand() {
        assertThat(annotate(fabricAdmin, "probe", ROUTED, "\"3\"")).isEmpty();
        assertThat(annotate(fabricAdmin, "probe", "lightpath.dev/force-release", "\"now\""))
                .isEmpty();
        assertThat(annotate(fabricAdmin, "probe", "lightpath.dev/force-release", "null"))
                .isEmpty();
    }

    /** Garbage collection, and the operator's own marks. */
    @Test
    void controllersOfTheClusterAreNotHeldUp() {
        assertThat(annotate(collector, "probe", "example.com/note", "\"d\"")).isEmpty();
        assertThat(annotate(operator, "probe", "lightpath.dev/recorded", "\"true\""))
                .isEmpty();
        assertThat(annotate(operator, "probe", "lightpath.dev/recorded", "null"))
                .isEmpty();
    }
}
