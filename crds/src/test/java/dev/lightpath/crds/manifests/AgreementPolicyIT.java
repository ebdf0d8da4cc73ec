package dev.lightpath.crds.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.job.TrainingJob;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the processes of a job may write to it: that they agree to a move of its light, and nothing else. Under RBAC.
 */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgreementPolicyIT {
    private static final String NAMESPACE = "agreeing-jobs";
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private final Access access;
    /** Has ClusterRole lightpath-agree. */
    private final KubernetesClient process;

    /** Has ClusterRole lightpath-edit, and that of the processes. */
    private final KubernetesClient owner;

    AgreementPolicyIT(ApiServer server) throws IOException {
        access = new Access(server, "users.yaml", "acts-policy.yaml");
        process = access.as("system:serviceaccount:agreeing-jobs:train");
        owner = access.as("olga");
    }

    @BeforeAll
    void bind() throws InterruptedException {
        access.namespace(NAMESPACE);
        bind("system:serviceaccount:agreeing-jobs:train", "lightpath-agree");
        bind("olga", "lightpath-agree");
        bind("olga", "lightpath-edit");
        access.apply("""
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: llm, namespace: agreeing-jobs}
                spec: {model: {preset: gpt-7b}, parallelism: {tensor: 8}, scaleUp: {fabric: ring-a}}
                """);
        Access.untilTaken(() -> agree(process, "\"llm-ring-a-1/1\""));
        Access.untilTaken(() -> patch(owner, "{\"spec\": {\"maxRestarts\": 4}}"));
        // another word each time: one that was taken before the policy held would change nothing, and be taken for ever
        AtomicInteger tries = new AtomicInteger();
        Access.untilRefused(
                () -> agree(process, "\"nonsense" + tries.incrementAndGet() + "\""), "write FABRICSLICE/REVISION");
    }

    private void bind(String user, String role) {
        access.apply("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: "agreement-%s-%s", namespace: agreeing-jobs}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %s}
                subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: "%s"}]
                """.formatted(user, role, role, user));
    }

    @AfterAll
    void takeBack() {
        process.close();
        owner.close();
        access.close();
    }

    private static String patch(KubernetesClient client, String body) {
        return Access.answer(() -> client.resources(TrainingJob.class)
                .inNamespace(NAMESPACE)
                .withName("llm")
                .patch(MERGE, body));
    }

    private static String agree(KubernetesClient client, String value) {
        return patch(client, "{\"metadata\": {\"annotations\": {\"lightpath.dev/agreed-revision\": " + value + "}}}");
    }

    @Test
    void aProcessAgreesAndTakesItBack() {
        assertThat(agree(process, "\"llm-ring-a-1/3\"")).isEmpty();
        assertThat(agree(process, "\"llm-ring-a-1/3,llm-spine-1/12\"")).isEmpty();
        assertThat(agree(process, "null")).isEmpty();
        assertThat(agree(owner, "\"llm-ring-a-1/3\"")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"spec\": {\"priority\": 7}}",
                "{\"metadata\": {\"annotations\": {\"lightpath.dev/iteration-seconds\": \"1\"}}}",
                "{\"metadata\": {\"annotations\": {\"lightpath.dev/agreed-revision\": \"llm-ring-a-1/9\", \"example.com/note\": \"c\"}}}",
                "{\"metadata\": {\"labels\": {\"kueue.x-k8s.io/queue-name\": \"other\"}}}",
                "{\"metadata\": {\"finalizers\": [\"example.com/stays\"]}}",
                "{\"metadata\": {\"annotations\": {\"example.com/owner\": null}}}",
                "{\"metadata\": {\"ownerReferences\": [{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"name\": \"gone\", \"uid\": \"0\"}]}}"
            })
    void aProcessChangesNothingElse(String body) {
        assertThat(patch(access.admin, "{\"metadata\": {\"annotations\": {\"example.com/owner\": \"olga\"}}}"))
                .isEmpty();
        assertThat(patch(process, body)).contains("train may agree to moves of light, and change nothing else");
        assertThat(patch(owner, body)).isEmpty();
        patch(
                access.admin,
                "{\"metadata\": {\"finalizers\": null, \"labels\": null, \"ownerReferences\": null}, \"spec\": {\"priority\": 0}}");
        assertThat(patch(access.admin, "{\"metadata\": {\"annotations\": null}}"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "3", "llm-ring-a-1", "llm-ring-a-1/0", "llm-ring-a-1/-3", "LLM/3", "a/1;b/2", "a/1,"})
    void whatAgreesToNothingIsRefusedInOneLine(String value) {
        assertThat(agree(owner, "\"" + value + "\""))
                .contains("metadata.annotations[lightpath.dev/agreed-revision] is '" + value
                        + "': write FABRICSLICE/REVISION as light.json says it, several joined by commas");
    }
}
