package dev.lightpath.crds.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The policy of deploy/kubernetes/access that keeps a compromised node from the places of others. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NodesPolicyIT {
    private static final String KUBELET = "system:node:nodes-policy-1";
    private static final String REFUSAL = "lightpath.dev/ring-position: " + KUBELET
            + " may not change what Lightpath reads of a node; whoever binds ClusterRole lightpath-fabric-admin allows that";
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private final Access access;
    private final KubernetesClient kubelet;
    private final KubernetesClient fabricAdmin;

    NodesPolicyIT(ApiServer server) throws IOException {
        access = new Access(server, "users.yaml", "nodes-policy.yaml");
        kubelet = access.as(KUBELET);
        fabricAdmin = access.as("fay");
    }

    /** The kubelet may write its node by the API server's own rule. */
    @BeforeAll
    void bind() throws InterruptedException {
        clusterRole(KUBELET, "system:node");
        clusterRole("fay", "lightpath-fabric-admin");
        access.apply(node("nodes-policy-1", Map.of("lightpath.dev/ring-position", "1")));
        Access.untilRefused(this::register, "may not change");
        Access.untilTaken(() -> patch(fabricAdmin, "labels", "lightpath.dev/ring-position", "\"1\""));
        Access.untilTaken(() -> patch(kubelet, "labels", "example.com/zone", "\"a\""));
    }

    private void clusterRole(String user, String role) {
        access.apply("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: "nodes-policy-%2$s"}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: "%2$s"}
                subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: "%1$s"}]
                """.formatted(user, role));
    }

    private static Node node(String name, Map<String, String> labels) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .build();
    }

    private static String patch(KubernetesClient as, String where, String key, String value) {
        return Access.answer(() -> as.nodes().withName("nodes-policy-1").patch(MERGE, patch(where, key, value)));
    }

    private static String patch(String where, String key, String value) {
        return "{\"metadata\": {\"" + where + "\": {\"" + key + "\": " + value + "}}}";
    }

    /** With a position, as by {@code --node-labels}; nothing is stored. */
    private String register() {
        return Access.answer(() -> kubelet.resource(node("nodes-policy-1", Map.of("lightpath.dev/ring-position", "7")))
                .dryRun()
                .create());
    }

    @AfterAll
    void takeBack() {
        kubelet.close();
        fabricAdmin.close();
        access.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"2\"", "null"})
    void aNodeKeepsThePositionThatItWasGiven(String position) {
        assertThat(patch(kubelet, "labels", "lightpath.dev/ring-position", position))
                .contains(REFUSAL);
        String byStatus = Access.answer(() -> kubelet.nodes()
                .withName("nodes-policy-1")
                .subresource("status")
                .patch(MERGE, patch("labels", "lightpath.dev/ring-position", position)));
        assertThat(byStatus).contains(REFUSAL);
        assertThat(access.admin
                        .nodes()
                        .withName("nodes-policy-1")
                        .get()
                        .getMetadata()
                        .getLabels())
                .containsEntry("lightpath.dev/ring-position", "1");
    }

    @Test
    void aNodeDoesNotJoinWithAPositionOfItsOwnChoice() {
        assertThat(register()).contains("may not change what Lightpath reads of a node");
        assertThat(Access.answer(() -> kubelet.resource(node("nodes-policy-2", Map.of("example.com/zone", "a")))
                        .dryRun()
                        .create()))
                .isEmpty();
    }

    @Test
    void aNodeDoesNotClearItsOwnFault() {
        assertThat(patch(kubelet, "annotations", "lightpath.dev/clear-fault", "\"2026-11-22T18:43:36Z\""))
                .contains("lightpath.dev/clear-fault: " + KUBELET);
    }

    @Test
    void whatElseANodeSaysOfItselfIsNotHeldUp() {
        assertThat(patch(kubelet, "labels", "example.com/zone", "\"b\"")).isEmpty();
        assertThat(patch(kubelet, "annotations", "example.com/note", "\"b\"")).isEmpty();
        assertThat(Access.answer(() -> kubelet.nodes()
                        .withName("nodes-policy-1")
                        .subresource("status")
                        .patch(MERGE, "{\"status\": {\"phase\": \"Running\"}}")))
                .isEmpty();
    }

    @Test
    void aFabricAdministratorPlacesANode() {
        assertThat(patch(fabricAdmin, "labels", "lightpath.dev/pod", "\"pod-3\""))
                .isEmpty();
        assertThat(patch(fabricAdmin, "labels", "lightpath.dev/pod", "null")).isEmpty();
        assertThat(patch(fabricAdmin, "annotations", "lightpath.dev/clear-fault", "\"2026-11-22T18:43:36Z\""))
                .isEmpty();
        assertThat(patch(fabricAdmin, "annotations", "lightpath.dev/clear-fault", "null"))
                .isEmpty();
    }
}
