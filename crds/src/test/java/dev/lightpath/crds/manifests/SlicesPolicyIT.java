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

/** Who may delete a FabricSlice that holds circuits: as the users themselves, under RBAC. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SlicesPolicyIT {
    private static final String NAMESPACE = "kept-slices";
    private static final String RECORD =
            "{\"status\":{\"allocation\":{\"format\":1,\"revision\":1,\"groups\":[{\"index\":0,\"nodes\":[\"n0\",\"n1\"],\"positions\":[0,1]}]}}}";

    private final Access access;
    /** May write everything in its namespace. */
    private final KubernetesClient tenant;

    private final KubernetesClient fabricAdmin;
    private final KubernetesClient operator;
    private final KubernetesClient collector;

    SlicesPolicyIT(ApiServer server) throws IOException {
        access = new Access(server, "users.yaml", "operator.yaml", "slices-policy.yaml");
        tenant = access.as("tina");
        fabricAdmin = access.as("fabian");
        operator = access.as(Access.OPERATOR);
        collector = access.as("system:serviceaccount:kube-system:generic-garbage-collector");
    }

    @BeforeAll
    void bind() throws InterruptedException {
        access.namespace(NAMESPACE);
        access.apply("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata: {name: slices, namespace: %s}
                rules: [{apiGroups: [lightpath.dev], resources: [fabricslices], verbs: ["*"]}]
                """.formatted(NAMESPACE));
        bind("RoleBinding", "tina", "Role", "slices");
        bind("ClusterRoleBinding", "fabian", "ClusterRole", "lightpath-fabric-admin");
        bind(
                "ClusterRoleBinding",
                "system:serviceaccount:kube-system:generic-garbage-collector",
                "ClusterRole",
                "cluster-admin");
        Access.untilRefused(this::deleteAsTenant, "holds circuits");
        Access.untilTaken(() -> delete(fabricAdmin, "probe"));
        for (KubernetesClient each : new KubernetesClient[] {operator, collector}) {
            Access.untilTaken(() -> delete(each, "none"));
        }
    }

    /** A policy that does not hold yet lets the slice go, so each try has one of its own. */
    private String deleteAsTenant() {
        if (access.admin
                        .resources(FabricSlice.class)
                        .inNamespace(NAMESPACE)
                        .withName("probe")
                        .get()
                == null) {
            make("probe", true);
        }
        return delete(tenant, "probe");
    }

    private void bind(String kind, String user, String roleKind, String role) {
        access.apply("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: %s
                metadata: {name: "slices-policy-%s"%s}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: %s, name: "%s"}
                subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: "%s"}]
                """.formatted(
                kind, role, kind.equals("RoleBinding") ? ", namespace: " + NAMESPACE : "", roleKind, role, user));
    }

    @AfterAll
    void takeBack() {
        access.admin
                .resources(FabricSlice.class)
                .inNamespace(NAMESPACE)
                .list()
                .getItems()
                .forEach(slice -> delete(fabricAdmin, slice.getMetadata().getName()));
        tenant.close();
        fabricAdmin.close();
        operator.close();
        collector.close();
        access.close();
    }

    @Test
    void aSliceThatHoldsCircuitsIsNotForATenantToDelete() {
        make("llm", true);
        assertThat(delete(tenant, "llm"))
                .contains(
                        "FabricSlice llm holds circuits of OpticalFabric ring-a for TrainingJob llm: delete or suspend the job,"
                                + " and the operator deletes the slice; otherwise only a user who may update that OpticalFabric may delete it");
        assertThat(Access.answer(() -> tenant.resources(FabricSlice.class)
                        .inNamespace(NAMESPACE)
                        .delete()))
                .contains("holds circuits");
        assertThat(delete(fabricAdmin, "llm")).isEmpty();
    }

    @Test
    void aSliceWithoutARecordMayBeDeletedByWhoMayDeleteSlices() {
        make("empty", false);
        assertThat(delete(tenant, "empty")).isEmpty();
    }

    @Test
    void theOperatorAndTheControllersOfKubernetesDeleteSlices() {
        make("dark", true);
        assertThat(delete(operator, "dark")).isEmpty();
        make("left", true);
        assertThat(delete(collector, "left")).isEmpty();
    }

    private void make(String name, boolean holds) {
        var slice = access.admin.resource(Serialization.unmarshal("""
                apiVersion: lightpath.dev/v1alpha1
                kind: FabricSlice
                metadata: {name: %s, namespace: %s}
                spec:
                  fabric: ring-a
                  part: 0
                  job: {name: llm, uid: uid-1, attempt: 1}
                  demand: {scaleUp: {groups: 1, gpusPerGroup: 8}}
                """.formatted(name, NAMESPACE), FabricSlice.class));
        slice.create();
        if (holds) {
            slice.subresource("status").patch(PatchContext.of(PatchType.JSON_MERGE), RECORD);
        }
    }

    /** The words of the API server, empty when it is deleted, or was before. */
    private static String delete(KubernetesClient client, String name) {
        return Access.answer(() -> client.resources(FabricSlice.class)
                .inNamespace(NAMESPACE)
                .withName(name)
                .delete());
    }
}
