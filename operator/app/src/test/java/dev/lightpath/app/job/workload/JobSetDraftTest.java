package dev.lightpath.app.job.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.app.job.plan.SampleJob;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.Workload;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;

class JobSetDraftTest {
    private static final String PLAIN = """
            spec:
              containers:
              - name: train
                image: example/train:1
            """;

    @Test
    void isOneIndexedJobWithAPodPerNode() {
        JsonNode jobSet = draft(PLAIN);
        assertThat(jobSet.at("/apiVersion").asText()).isEqualTo("jobset.x-k8s.io/v1alpha2");
        assertThat(jobSet.at("/kind").asText()).isEqualTo("JobSet");
        assertThat(jobSet.at("/metadata/name").asText()).isEqualTo(SampleJob.JOB_SET);
        assertThat(jobSet.at("/metadata/namespace").asText()).isEqualTo("team-a");
        assertThat(jobSet.at("/metadata/labels")).isEqualTo(yaml("""
                lightpath.dev/job: train
                app.kubernetes.io/managed-by: lightpath
                """));
        assertThat(jobSet.at("/metadata/ownerReferences/0/uid").asText()).isEqualTo(SampleJob.UID);
        assertThat(jobSet.at("/metadata/ownerReferences/0/blockOwnerDeletion").asBoolean(true))
                .isFalse();
        assertThat(jobSet.at("/spec/failurePolicy/maxRestarts").asInt()).isEqualTo(3);
        assertThat(jobSet.at("/spec/replicatedJobs")).hasSize(1);
        JsonNode workers = jobSet.at("/spec/replicatedJobs/0");
        assertThat(workers.at("/name").asText()).isEqualTo("workers");
        assertThat(workers.at("/replicas").asInt()).isEqualTo(1);
        JsonNode job = workers.at("/template/spec");
        assertThat(job.at("/completionMode").asText()).isEqualTo("Indexed");
        assertThat(job.at("/completions").asInt()).isEqualTo(4);
        assertThat(job.at("/parallelism").asInt()).isEqualTo(4);
        assertThat(job.at("/backoffLimit").isInt()).isTrue();
        assertThat(job.at("/backoffLimit").asInt()).isZero();
    }

    @Test
    void aTemplateIsNotDeep() {
        String odd = PLAIN + "  odd: ";
        assertThat(draft(odd + "[".repeat(40) + "]".repeat(40)).isObject()).isTrue();
        assertThatThrownBy(() -> draft(odd + "[".repeat(60) + "]".repeat(60)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("is more than 50 levels deep: write a pod template with spec.containers");
    }

    @Test
    void waitsBehindTheGateAndLeavesDeadNodesSoon() {
        JsonNode pod = pod(PLAIN);
        assertThat(pod.at("/metadata/labels/lightpath.dev~1job").asText()).isEqualTo("train");
        assertThat(pod.at("/spec/restartPolicy").asText()).isEqualTo("Never");
        assertThat(pod.at("/spec/schedulingGates")).isEqualTo(yaml("- name: lightpath.dev/circuits"));
        assertThat(pod.at("/spec/tolerations")).isEqualTo(yaml("""
                - {key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 45}
                - {key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 45}
                """));
    }

    @Test
    void tellsTorchrunWhereItIs() {
        JsonNode env = pod(PLAIN).at("/spec/containers/0/env");
        String name = SampleJob.JOB_SET;
        assertThat(env).isEqualTo(yaml("""
                - {name: NNODES, value: "4"}
                - {name: MASTER_ADDR, value: %s-workers-0-0.%s}
                - {name: MASTER_PORT, value: "29500"}
                - name: NODE_RANK
                  valueFrom: {fieldRef: {fieldPath: "metadata.annotations['batch.kubernetes.io/job-completion-index']"}}
                """.formatted(name, name)));
    }

    @Test
    void keepsWhatTheTemplateSays() {
        JsonNode pod = pod("""
                metadata:
                  labels: {team: a}
                spec:
                  restartPolicy: OnFailure
                  newFieldOfTomorrow: {x: 1}
                  schedulingGates: [{name: other/gate}, {name: lightpath.dev/circuits}]
                  tolerations: [{key: node.kubernetes.io/not-ready, operator: Exists, tolerationSeconds: 9}]
                  containers:
                  - {name: train, env: [{name: MASTER_PORT, value: "1"}, {name: NODE_RANK, value: mine}]}
                  - {name: side}
                """);
        assertThat(pod.at("/metadata/labels/team").asText()).isEqualTo("a");
        assertThat(pod.at("/spec/newFieldOfTomorrow/x").asInt()).isEqualTo(1);
        assertThat(pod.at("/spec/restartPolicy").asText()).isEqualTo("Never");
        assertThat(pod.at("/spec/schedulingGates")).hasSize(2);
        assertThat(pod.at("/spec/tolerations")).hasSize(2);
        assertThat(pod.at("/spec/tolerations/0/tolerationSeconds").asInt()).isEqualTo(9);
        assertThat(pod.at("/spec/containers/0/env")).hasSize(4);
        assertThat(pod.at("/spec/containers/0/env/0/value").asText()).isEqualTo("1");
        assertThat(pod.at("/spec/containers/0/env/1/value").asText()).isEqualTo("mine");
        assertThat(pod.at("/spec/containers/1/env")).hasSize(4);
    }

    @Test
    void leavesTheTemplateOfTheJobAlone() {
        TrainingJob job = job(PLAIN);
        JsonNode before = job.getSpec().workload().template().deepCopy();
        JobSetDraft.of(job, 4);
        assertThat(job.getSpec().workload().template()).isEqualTo(before);
    }

    @Test
    void refusesWhatIsNoTemplate() {
        assertThatThrownBy(() -> JobSetDraft.of(job("metadata: {}"), 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("spec.containers");
        assertThatThrownBy(() -> JobSetDraft.of(job("spec: {containers: 5}"), 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("containers is 5: write a list");
        assertThatThrownBy(() -> JobSetDraft.of(job("{metadata: [], spec: {}}"), 4))
                .hasMessage("metadata is []: write an object");
    }

    private static JsonNode pod(String template) {
        return draft(template).at("/spec/replicatedJobs/0/template/spec/template");
    }

    private static JsonNode draft(String template) {
        return Serialization.unmarshal(Serialization.asYaml(JobSetDraft.of(job(template), 4)), JsonNode.class);
    }

    private static TrainingJob job(String template) {
        SampleJob sample = new SampleJob();
        sample.template = new Workload(yaml(template), null);
        return sample.job();
    }

    private static JsonNode yaml(String text) {
        return Serialization.unmarshal("---\n" + text, JsonNode.class);
    }
}
