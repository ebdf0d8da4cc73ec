package dev.lightpath.app.job.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.job.TrainingJob;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** GPUs of a pod as the scheduler counts them, held against those of a node. */
class GpuLimitTest {
    private static Optional<String> problem(String pod) {
        TrainingJob job = Serialization.unmarshal("""
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: llm, namespace: team}
                spec:
                  model: {preset: gpt-7b}
                  parallelism: {tensor: 16}
                  scaleUp: {fabric: ring-a}
                  workload: {template: {spec: %s}}
                """.formatted(pod), TrainingJob.class);
        return GpuLimit.problem(job, "nvidia.com/gpu", 4);
    }

    private static String container(String name, String gpus) {
        return "{name: " + name + ", resources: {limits: {nvidia.com/gpu: " + gpus + "}}}";
    }

    private static String sidecar(String name, String gpus) {
        return "{name: " + name + ", restartPolicy: Always, resources: {limits: {nvidia.com/gpu: " + gpus + "}}}";
    }

    @Test
    void containersRunTogether() {
        assertThat(problem("{containers: [" + container("a", "2") + ", " + container("b", "2") + "]}"))
                .isEmpty();
        assertThat(problem("{containers: [" + container("a", "4") + ", " + container("b", "1") + "]}"))
                .contains("spec.containers ask for 5 nvidia.com/gpu in one pod; a node has 4, and every node of the job"
                        + " runs one pod");
    }

    @Test
    void initContainersRunOneByOneBeforeThem() {
        assertThat(problem("{initContainers: [" + container("x", "4") + ", " + container("y", "4") + "], containers: ["
                        + container("a", "4") + "]}"))
                .isEmpty();
        assertThat(problem("{initContainers: [" + container("x", "5") + "], containers: [" + container("a", "1") + "]}")
                        .orElseThrow())
                .contains("initContainers ask for 5");
    }

    @Test
    void sidecarsRunBesideTheContainers() {
        assertThat(problem("{initContainers: [" + sidecar("s", "1") + "], containers: [" + container("a", "4") + "]}")
                        .orElseThrow())
                .contains("ask for 5");
        assertThat(problem("{initContainers: [" + sidecar("s", "1") + "], containers: [" + container("a", "3") + "]}"))
                .isEmpty();
    }

    @Test
    void anInitContainerRunsBesideTheSidecarsThatStartedEarlier() {
        assertThat(problem("{initContainers: [" + sidecar("s", "1") + ", " + container("x", "4") + "], containers: []}")
                        .orElseThrow())
                .contains("ask for 5");
        assertThat(problem(
                        "{initContainers: [" + container("x", "4") + ", " + sidecar("s", "1") + "], containers: []}"))
                .isEmpty();
    }

    @Test
    void requestsCountWhereThereIsNoLimit() {
        assertThat(problem("{containers: [{name: a, resources: {requests: {nvidia.com/gpu: 8}}}]}"))
                .isPresent();
        assertThat(problem("{containers: [{name: a, resources: {limits: {cpu: 96}}}]}"))
                .isEmpty();
    }

    @Test
    void whatIsNoQuantityIsLeftToTheApiServer() {
        assertThat(problem("{containers: [" + container("a", "many") + "]}")).isEmpty();
    }

    /** The API server judges what is no number of GPUs at all. */
    @Test
    void quantitiesOfAThousandMillionDigitsAreNotWrittenOut() {
        for (String odd :
                new String[] {"'1e999999999'", "'1e-999999999'", "'" + "9".repeat(100_000) + "'", "'1.2.3'", "'x'"}) {
            assertThat(problem("{containers: [" + container("a", odd) + ", " + container("b", "1") + "]}"))
                    .isEmpty();
        }
        assertThat(problem("{containers: [" + container("a", "'1e30'") + "]}").orElseThrow())
                .contains("ask for 1" + "0".repeat(30));
    }
}
