package dev.lightpath.app.job.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.reading.pod.WorkloadKind;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;

class PodTemplatesTest {
    private static final String GPU = "nvidia.com/gpu";
    private static final String GATE = "schedulingGates: [{name: lightpath.dev/circuits}], ";
    private static final String CPU = "containers: [{name: a}]";
    private static final String GPUS = "containers: [{name: a, resources: {limits: {nvidia.com/gpu: 4}}}]";

    private static JsonNode json(String yaml) {
        return Serialization.unmarshal("---\n" + yaml, JsonNode.class);
    }

    private static JsonNode torch(String kind, String first, String second) {
        return json("""
                metadata: {name: mine}
                spec:
                  runPolicy: {suspend: true}
                  %s:
                    A: {replicas: 1, template: {spec: {%s}}}
                    Worker: {replicas: 3, template: {spec: {%s}}}
                """.formatted(kind, first, second));
    }

    @Test
    void everyTemplateOfPodsWithGpusNeedsTheGate() {
        PodTemplates master =
                PodTemplates.of(WorkloadKind.PYTORCH_JOB, torch("pytorchReplicaSpecs", GPUS, GATE + GPUS));
        assertThat(master.gated(GPU)).isFalse();
        assertThat(PodTemplates.of(WorkloadKind.PYTORCH_JOB, torch("pytorchReplicaSpecs", GATE + GPUS, GATE + GPUS))
                        .gated(GPU))
                .isTrue();
    }

    @Test
    void aLauncherWithoutGpusNeedsNone() {
        PodTemplates mpi = PodTemplates.of(WorkloadKind.MPI_JOB, torch("mpiReplicaSpecs", CPU, GATE + GPUS));
        assertThat(mpi.gated(GPU)).isTrue();
        assertThat(mpi.byGpus(GPU)).isTrue();
        assertThat(mpi.suspended()).isTrue();
        PodTemplates none = PodTemplates.of(WorkloadKind.MPI_JOB, torch("mpiReplicaSpecs", CPU, GATE + CPU));
        assertThat(none.byGpus(GPU)).as("nobody asks for GPUs: all train").isFalse();
        assertThat(none.gated(GPU)).isFalse();
    }

    @Test
    void aRayClusterHasAHeadAndGroups() {
        JsonNode cluster = json("""
                spec:
                  suspend: false
                  headGroupSpec: {template: {spec: {%s}}}
                  workerGroupSpecs: [{groupName: a, template: {spec: {%s}}}, {groupName: b, template: {spec: {%s}}}]
                """.formatted(CPU, GATE + GPUS, GPUS));
        PodTemplates templates = PodTemplates.of(WorkloadKind.RAY_CLUSTER, cluster);
        assertThat(templates.all()).hasSize(3);
        assertThat(templates.gated(GPU)).as("group b has none").isFalse();
        assertThat(templates.suspended()).isFalse();
    }

    @Test
    void leadersAreMadeOfTheWorkersTemplateWhereTheyHaveNone() {
        JsonNode set =
                json("spec: {leaderWorkerTemplate: {size: 2, workerTemplate: {spec: {%s}}}}".formatted(GATE + GPUS));
        assertThat(PodTemplates.of(WorkloadKind.LEADER_WORKER_SET, set).gated(GPU))
                .isTrue();
        JsonNode leader = json(
                "spec: {leaderWorkerTemplate: {size: 2, leaderTemplate: {spec: {%s}}, workerTemplate: {spec: {%s}}}}"
                        .formatted(GPUS, GATE + GPUS));
        assertThat(PodTemplates.of(WorkloadKind.LEADER_WORKER_SET, leader).gated(GPU))
                .isFalse();
    }

    @Test
    void saysWhatOnlyTheOperatorWrites() {
        String worker = "spec: {leaderWorkerTemplate: {size: 2, workerTemplate: {metadata: {%s}, spec: {%s}}}}";
        assertThat(PodTemplates.of(
                                WorkloadKind.LEADER_WORKER_SET,
                                json(worker.formatted("labels: {lightpath.dev/attempt: '1'}", GATE + GPUS)))
                        .problem(GPU))
                .contains("a pod template has metadata.labels['lightpath.dev/attempt'], which only the operator writes:"
                        + " leave it out");
        assertThat(PodTemplates.of(
                                WorkloadKind.LEADER_WORKER_SET,
                                json(worker.formatted("annotations: {lightpath.dev/rank: '1'}", GATE + GPUS)))
                        .problem(GPU))
                .hasValueSatisfying(problem -> assertThat(problem).contains("annotations['lightpath.dev/rank']"));
        assertThat(PodTemplates.of(
                                WorkloadKind.LEADER_WORKER_SET,
                                json(worker.formatted("labels: {lightpath.dev/job: train}", GATE + GPUS)))
                        .problem(GPU))
                .isEmpty();
    }

    @Test
    void saysThatWorkersWouldWaitForALeaderThatWaitsForThem() {
        String late =
                "spec: {startupPolicy: LeaderReady, leaderWorkerTemplate: {size: %d, workerTemplate: {spec: {%s}}}}";
        assertThat(PodTemplates.of(WorkloadKind.LEADER_WORKER_SET, json(late.formatted(2, GATE + GPUS)))
                        .problem(GPU))
                .hasValueSatisfying(problem -> assertThat(problem).contains("LeaderReady", "write LeaderCreated"));
        assertThat(PodTemplates.of(WorkloadKind.LEADER_WORKER_SET, json(late.formatted(1, GATE + GPUS)))
                        .problem(GPU))
                .as("a leader alone")
                .isEmpty();
        String coordinator =
                "spec: {startupPolicy: LeaderReady, leaderWorkerTemplate: {size: 2, leaderTemplate: {spec: {%s}}, workerTemplate: {spec: {%s}}}}";
        assertThat(PodTemplates.of(WorkloadKind.LEADER_WORKER_SET, json(coordinator.formatted(CPU, GATE + GPUS)))
                        .problem(GPU))
                .as("the leader has no GPUs and waits for nobody")
                .isEmpty();
    }

    /** A limit is missing, or counts another resource than the fabric. */
    @Test
    void aLauncherBesidePodsThatAskForNoGpusIsNotAskedForTheGate() {
        String job = "spec: {mpiReplicaSpecs: {Launcher: {template: {spec: {%s}}}, Worker: {template: {spec: {%s}}}}}";
        assertThat(PodTemplates.of(WorkloadKind.MPI_JOB, json(job.formatted(CPU, GATE + CPU)))
                        .problem(GPU))
                .hasValue("no container asks for " + GPU + ", so pods without the gate count as pods that train: set"
                        + " resources.limits of those that do");
        for (String workers : List.of(GATE + GPUS, CPU)) {
            assertThat(PodTemplates.of(WorkloadKind.MPI_JOB, json(job.formatted(CPU, workers)))
                            .problem(GPU))
                    .isEmpty();
        }
        assertThat(PodTemplates.of(WorkloadKind.MPI_JOB, json(job.formatted(GATE + CPU, GATE + CPU)))
                        .problem(GPU))
                .as("all train")
                .isEmpty();
    }

    @Test
    void aWorkloadThatEndedSaysHow() {
        JsonNode job = json("""
                metadata: {name: mine}
                status: {conditions: [{type: Running, status: "False"}, {type: Succeeded, status: "True"}]}
                """);
        assertThat(WorkloadReading.run(job, PodTemplates.of(WorkloadKind.PYTORCH_JOB, job), GPU)
                        .ending())
                .map(WorkloadFacts.Ending::succeeded)
                .hasValue(true);
    }

    @Test
    void countsTheGpusOfAPod() {
        assertThat(PodTemplates.asks(pod(GPUS), GPU)).isTrue();
        assertThat(PodTemplates.asks(pod(GPUS), "amd.com/gpu")).isFalse();
        assertThat(PodTemplates.asks(pod(CPU), GPU)).isFalse();
        assertThat(PodTemplates.asks(pod("containers: [{name: a, resources: {limits: {nvidia.com/gpu: 0}}}]"), GPU))
                .isFalse();
    }

    private static Pod pod(String spec) {
        return Serialization.unmarshal(
                "---\n{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {" + spec + "}}", Pod.class);
    }

    @Test
    void aJobSetIsReadByItsReplicatedJobs() {
        assertThatThrownBy(() -> PodTemplates.of(WorkloadKind.JOB_SET, json("{}")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("JOB_SET");
    }
}
