package dev.lightpath.crds.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.slice.FabricSlice;
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

/** Who may write the record of a FabricSlice: as the users themselves, under RBAC. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LedgerPolicyIT {
    private static final String NAMESPACE = "recorded-slices";
    private static final String RESTORED = ", annotations: {lightpath.dev/restored: \"2026-11-28T06:00:00Z\"}";

    private final Access access;
    /** May write everything of slices in its namespace, but has not the verb restore. */
    private final KubernetesClient tenant;

    private final KubernetesClient restorer;
    private final KubernetesClient operator;

    LedgerPolicyIT(ApiServer server) throws IOException {
        access = new Access(server, "users.yaml", "operator.yaml", "ledger-policy.yaml");
        tenant = access.as("lena");
        restorer = access.as("rita");
        operator = access.as(Access.OPERATOR);
    }

    @BeforeAll
    void bind() throws InterruptedException {
        access.namespace(NAMESPACE);
        access.apply("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata: {name: all-of-slices, namespace: %s}
                rules:
                  - apiGroups: [lightpath.dev]
                    resources: [fabricslices, fabricslices/status]
                    verbs: [get, list, create, update, patch, delete]
                """.formatted(NAMESPACE));
        access.apply("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: all-of-slices, namespace: %s}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: all-of-slices}
                subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: lena}]
                """.formatted(NAMESPACE));
        access.apply("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: ledger-policy-restore}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: lightpath-restore}
                subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: rita}]
                """);
        Access.untilRefused(() -> create(tenant, "probe-1", ""), "the operator's record");
        Access.untilTaken(() -> create(restorer, "probe-2", RESTORED));
        Access.untilTaken(() -> create(operator, "probe-3", ""));
    }

    @AfterAll
    void takeBack() {
        access.admin.resources(FabricSlice.class).inNamespace(NAMESPACE).delete();
        tenant.close();
        restorer.close();
        operator.close();
        access.close();
    }

    @Test
    void aTenantWritesNoRecordWhateverItCallsIt() {
        assertThat(create(tenant, "mine", "")).contains("FabricSlices are the operator's record");
        assertThat(create(tenant, "mine", RESTORED)).contains("FabricSlices are the operator's record");
        assertThat(create(operator, "theirs", RESTORED)).isEmpty();
        assertThat(record(tenant, "theirs", 1)).contains("only the operator changes the spec or status");
    }

    @Test
    void whoMayRestoreCreatesSlicesThatAreMarkedAsRestored() {
        assertThat(create(restorer, "unmarked", "")).contains("kubectl lightpath restore");
        assertThat(create(restorer, "marked", RESTORED)).isEmpty();
    }

    @Test
    void aRestoredRecordIsWrittenOnce() {
        assertThat(create(restorer, "once", RESTORED)).isEmpty();
        assertThat(record(restorer, "once", 3)).isEmpty();
        assertThat(record(restorer, "once", 4)).contains("only the operator changes the spec or status");
        assertThat(record(operator, "once", 4)).isEmpty();
    }

    /** It may have lost its record. */
    @Test
    void aSliceThatTheOperatorMadeIsMarkedBeforeItsRecordIsRestored() {
        assertThat(create(operator, "made", "")).isEmpty();
        assertThat(record(restorer, "made", 1)).contains("only the operator changes the spec or status");
        assertThat(
                        Access.answer(
                                () -> restorer.resources(FabricSlice.class)
                                        .inNamespace(NAMESPACE)
                                        .withName("made")
                                        .patch(
                                                PatchContext.of(PatchType.JSON_MERGE),
                                                "{\"metadata\": {\"annotations\": {\"lightpath.dev/restored\": \"2026-11-28T06:00:00Z\"}}}")))
                .isEmpty();
        assertThat(record(restorer, "made", 1)).isEmpty();
        assertThat(record(restorer, "made", 2)).contains("only the operator changes the spec or status");
    }

    private String create(KubernetesClient client, String name, String more) {
        return Access.answer(
                () -> client.resource(Serialization.unmarshal("""
                        apiVersion: lightpath.dev/v1alpha1
                        kind: FabricSlice
                        metadata: {name: %s, namespace: %s%s}
                        spec:
                          fabric: ring-a
                          part: 0
                          job: {name: llm, uid: uid-1, attempt: 1}
                          demand: {scaleUp: {groups: 1, gpusPerGroup: 8}}
                        """.formatted(name, NAMESPACE, more), FabricSlice.class))
                        .create());
    }

    private static String record(KubernetesClient client, String name, int revision) {
        return Access.answer(() -> client.resources(FabricSlice.class)
                .inNamespace(NAMESPACE)
                .withName(name)
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), """
                        {"status": {"allocation": {"format": 1, "revision": %d,
                          "groups": [{"index": 0, "nodes": ["n0", "n1"], "positions": [0, 1]}]}}}
                        """.formatted(revision)));
    }
}
