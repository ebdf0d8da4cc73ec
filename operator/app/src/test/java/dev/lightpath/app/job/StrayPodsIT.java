package dev.lightpath.app.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pods behind the gate whose label names no TrainingJob, on a real API server. */
@ExtendWith(ApiServerExtension.class)
final class StrayPodsIT {
    private static final String NAMESPACE = "stray";
    private static final String GATED = "schedulingGates: [{name: lightpath.dev/circuits}], ";

    private final Set<ResourceID> jobs = new HashSet<>();
    private final AtomicBoolean leading = new AtomicBoolean(true);
    private final AtomicLong nanos = new AtomicLong(-1);
    private final List<String> told = new ArrayList<>();
    private KubernetesClient client;
    private StrayPods strays;

    @BeforeEach
    void start(ApiServer server) {
        client = server.client();
        ApiServer.namespace(client, NAMESPACE);
        strays = new StrayPods(
                client,
                jobs::contains,
                leading::get,
                (pod, event) -> told.add(pod.getMetadata().getName() + " " + event.reason() + ": " + event.message()),
                nanos::get);
        // its own rounds would race with those of the test
        strays.close();
    }

    @AfterEach
    void stop() {
        client.pods().inNamespace(NAMESPACE).withGracePeriod(0).delete();
        client.close();
    }

    @Test
    void aPodWhoseLabelNamesNoJobIsToldOnce() {
        Pod pod = pod("alone", "llm", GATED);
        strays.saw(pod);
        round(StrayPods.JOB_AWAITED.toNanos() - 1);
        assertThat(told).as("its job may come after it").isEmpty();
        round(StrayPods.JOB_AWAITED.toNanos());
        assertThat(told)
                .containsExactly("alone NoTrainingJob: waits behind the scheduling gate lightpath.dev/circuits, and"
                        + " there is no TrainingJob llm (label lightpath.dev/job): create one with workload.ref of kind"
                        + " Pod");
        strays.saw(pod);
        round(3 * StrayPods.JOB_AWAITED.toNanos());
        assertThat(told).hasSize(1);
    }

    @Test
    void aReplicaThatDoesNotLeadTellsNothingBeforeItDoes() {
        strays.saw(pod("alone", "llm", GATED));
        leading.set(false);
        round(StrayPods.JOB_AWAITED.toNanos());
        assertThat(told).isEmpty();
        leading.set(true);
        round(StrayPods.JOB_AWAITED.toNanos());
        assertThat(told).hasSize(1);
    }

    @Test
    void ofManyPodsAFewAreToldInEachRound() {
        for (int i = 0; i <= StrayPods.MOST_A_ROUND; i++) {
            strays.saw(pod("many-" + i, "llm", GATED));
        }
        round(StrayPods.JOB_AWAITED.toNanos());
        assertThat(told).hasSize(StrayPods.MOST_A_ROUND);
        round(StrayPods.JOB_AWAITED.toNanos());
        assertThat(told).hasSize(StrayPods.MOST_A_ROUND + 1).doesNotHaveDuplicates();
    }

    @Test
    void podsOfAJobAndPodsThatWaitForNoLightAreNoStrays() {
        jobs.add(new ResourceID("llm", NAMESPACE));
        strays.saw(pod("of-a-job", "llm", GATED));
        strays.saw(pod("runs", "other", ""));
        strays.saw(pod("later", "comes", GATED));
        jobs.add(new ResourceID("comes", NAMESPACE));
        Pod gone = pod("gone", "other", GATED);
        strays.saw(gone);
        client.resource(gone).withGracePeriod(0).delete();
        pod("gone", "other", "");
        round(StrayPods.JOB_AWAITED.toNanos());
        assertThat(told).isEmpty();
    }

    private void round(long later) {
        nanos.set(-1 + later);
        strays.tellAll();
    }

    private Pod pod(String name, String job, String gate) {
        return client.resource(Serialization.unmarshal("""
                        ---
                        apiVersion: v1
                        kind: Pod
                        metadata: {namespace: %s, name: %s, labels: {lightpath.dev/job: %s}}
                        spec: {%s containers: [{name: train, image: example/train}]}
                        """.formatted(NAMESPACE, name, job, gate), Pod.class))
                .create();
    }
}
