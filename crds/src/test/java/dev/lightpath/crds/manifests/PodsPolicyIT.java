package dev.lightpath.crds.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.LightpathLabels;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The policy of deploy/kubernetes/access that keeps what says in whose light a pod runs. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PodsPolicyIT {
    private static final Path POLICY = Path.of("../deploy/kubernetes/access/pods-policy.yaml");
    private static final String NAMESPACE = "kept-pods";

    private final KubernetesClient client;
    /** With every right: what it may write is another policy's. */
    private final KubernetesClient operator;

    private List<HasMetadata> policy = List.of();

    PodsPolicyIT(ApiServer server) {
        client = server.client();
        Config config = Config.fromKubeconfig(server.kubeConfigYaml());
        config.setImpersonateUsername(Access.OPERATOR);
        config.setImpersonateGroups("system:masters");
        operator = new KubernetesClientBuilder().withConfig(config).build();
    }

    /** A policy holds a moment after it was written. */
    @BeforeAll
    void apply() throws IOException, InterruptedException {
        ApiServer.namespace(client, NAMESPACE);
        client.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withName("default")
                        .withNamespace(NAMESPACE)
                        .endMetadata()
                        .build())
                .serverSideApply();
        try (InputStream yaml = new FileInputStream(POLICY.toFile())) {
            policy = client.load(yaml).create();
        }
        letGo("probe", false);
        for (int tries = 0; changed("probe", PodsPolicyIT::bare).isEmpty(); tries++) {
            assertThat(tries).as("tries until the policy is in force").isLessThan(1000);
            Thread.sleep(100);
        }
    }

    @AfterAll
    void takeBack() {
        client.resourceList(policy).delete();
        client.namespaces().withName(NAMESPACE).delete();
        operator.close();
        client.close();
    }

    @Test
    void aRunningPodKeepsWhatSaysInWhoseLightItRuns() {
        letGo("runs", false);
        assertThat(changed("runs", PodsPolicyIT::bare))
                .contains("metadata.labels[lightpath.dev/job], metadata.labels[lightpath.dev/attempt],"
                        + " metadata.annotations[lightpath.dev/rank] says in whose light this pod runs, and stays until"
                        + " the pod has ended: delete the pod, or suspend or delete TrainingJob llm");
        assertThat(changed("runs", pod -> labelled(pod, LightpathLabels.JOB, "another")))
                .contains("metadata.labels[lightpath.dev/job] says");
        assertThat(changed("runs", pod -> labelled(pod, LightpathLabels.ATTEMPT, "2")))
                .contains("metadata.labels[lightpath.dev/attempt] says");
    }

    /** A pod that was never let go would take its node from everybody with them. */
    @Test
    void nobodyElseWritesWhatTheOperatorWrites() {
        assertThat(Access.answer(() -> client.resource(
                                pod("forged", false, LightpathLabels.ATTEMPT, "1", LightpathAnnotations.RANK, "0"))
                        .dryRun()
                        .create()))
                .contains(
                        "metadata.labels[lightpath.dev/attempt], metadata.annotations[lightpath.dev/rank] is written by"
                                + " the operator of Lightpath alone, when it lets a pod go: leave it out of the pod");
        for (boolean gated : new boolean[] {true, false}) {
            String name = gated ? "behind-the-gate" : "without-a-gate";
            client.resource(pod(name, gated, LightpathLabels.JOB, "llm", "note", "mine"))
                    .create();
            assertThat(changed(name, pod -> labelled(pod, LightpathLabels.ATTEMPT, "1")))
                    .contains("metadata.labels[lightpath.dev/attempt] is written by the operator");
            for (String note : List.of(
                    LightpathAnnotations.RANK, LightpathAnnotations.GROUP, LightpathAnnotations.RING_POSITION)) {
                assertThat(changed(name, pod -> noted(pod, note, "0")))
                        .contains("metadata.annotations[" + note + "] is written by the operator");
            }
            assertThat(changed(name, pod -> labelled(pod, LightpathLabels.JOB, "another")))
                    .isEmpty();
        }
    }

    /** Whoever may write the status of pods, as node agents do, writes labels with it. */
    @Test
    void theStatusIsNoWayAround() {
        letGo("told", false);
        PatchContext status = new PatchContext.Builder()
                .withPatchType(PatchType.JSON_MERGE)
                .withDryRun(List.of("All"))
                .build();
        assertThat(Access.answer(() -> client.pods()
                        .inNamespace(NAMESPACE)
                        .withName("told")
                        .subresource("status")
                        .patch(status, "{\"metadata\":{\"labels\":{\"lightpath.dev/job\":\"another\"}}}")))
                .contains("metadata.labels[lightpath.dev/job] says");
        assertThat(Access.answer(() -> client.pods()
                        .inNamespace(NAMESPACE)
                        .withName("told")
                        .subresource("status")
                        .patch(status, "{\"status\":{\"phase\":\"Running\"}}")))
                .isEmpty();
    }

    @Test
    void whatElseIsWrittenToItIsNotLookedAt() {
        letGo("written", false);
        assertThat(changed("written", pod -> labelled(pod, "of", "mine"))).isEmpty();
        client.pods().inNamespace(NAMESPACE).withName("written").delete();
    }

    @Test
    void aPodThatWaitsBehindTheGateOrHasEndedMayBeLabelledAtWill() {
        letGo("gated", true);
        assertThat(changed("gated", PodsPolicyIT::bare)).isEmpty();
        letGo("ended", false);
        client.pods()
                .inNamespace(NAMESPACE)
                .withName("ended")
                .editStatus(pod -> new PodBuilder(pod)
                        .editOrNewStatus()
                        .withPhase("Succeeded")
                        .endStatus()
                        .build());
        assertThat(changed("ended", PodsPolicyIT::bare)).isEmpty();
    }

    /** Without all that the operator wrote on it. */
    private static Pod bare(Pod pod) {
        return new PodBuilder(pod)
                .editMetadata()
                .withLabels(null)
                .withAnnotations(null)
                .endMetadata()
                .build();
    }

    private static Pod labelled(Pod pod, String key, String value) {
        return new PodBuilder(pod)
                .editMetadata()
                .addToLabels(key, value)
                .endMetadata()
                .build();
    }

    private static Pod noted(Pod pod, String key, String value) {
        return new PodBuilder(pod)
                .editMetadata()
                .addToAnnotations(key, value)
                .endMetadata()
                .build();
    }

    /** As the operator writes it. */
    private void letGo(String name, boolean gated) {
        Pod letGo = new PodBuilder(pod(name, gated, LightpathLabels.ATTEMPT, "1", LightpathAnnotations.RANK, "0"))
                .editMetadata()
                .addToLabels(LightpathLabels.JOB, "llm")
                .endMetadata()
                .build();
        operator.resource(letGo).create();
    }

    private static Pod pod(String name, boolean gated, String label, String value, String note, String text) {
        var pod = new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(NAMESPACE)
                .withLabels(Map.of(label, value))
                .withAnnotations(Map.of(note, text))
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("trainer")
                .withImage("none")
                .endContainer()
                .endSpec();
        if (gated) {
            pod.editSpec().addNewSchedulingGate(LightpathNames.SCHEDULING_GATE).endSpec();
        }
        return pod.build();
    }

    /** Empty when the API server takes it. */
    private String changed(String name, UnaryOperator<Pod> change) {
        Pod pod = client.pods().inNamespace(NAMESPACE).withName(name).get();
        try {
            client.resource(change.apply(pod)).dryRun().update();
            return "";
        } catch (KubernetesClientException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
