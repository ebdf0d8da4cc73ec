package dev.lightpath.app.job.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.app.job.plan.SampleJob;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.Workload;
import dev.lightpath.crds.job.WorkloadReference;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Of a job of 16 GPUs on 4 nodes, in groups of 8. */
class TemplateContradictionsTest {
    @Test
    void aTemplateThatSaysTheSameOrNothingIsNoContradiction() {
        assertThat(told("{name: t}")).isEmpty();
        assertThat(told("""
                {name: t, resources: {limits: {nvidia.com/gpu: 4}}, command: [torchrun, --nnodes=4, --nproc_per_node, "4"],
                 args: [train.py, --tensor-model-parallel-size, "8", "--pipeline-model-parallel-size=1"],
                 env: [{name: PET_NNODES, value: "4"}, {name: WORLD_SIZE, value: "16"}, {name: NODE_RANK, value: $(MINE)},
                       {name: NNODES, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]}
                """)).isEmpty();
    }

    @Test
    void tellsOfVariablesWithAnotherSize() {
        assertThat(told("{name: t, env: [{name: PET_NNODES, value: \"2\"}, {name: RANK, value: \"0\"}]}"))
                .containsExactly(
                        "container t sets PET_NNODES to 2; the job has 4 pods: omit it",
                        "container t sets RANK to 0 in every pod; each has a rank of its own: omit it");
        assertThat(told("""
                {name: t, resources: {limits: {nvidia.com/gpu: 2}}, env: [{name: NPROC_PER_NODE, value: "4"},
                 {name: WORLD_SIZE, value: "16"}]}
                """))
                .containsExactly(
                        "a pod asks for 2 nvidia.com/gpu; the job has 16 GPUs on 4 nodes: ask for 4",
                        "container t sets NPROC_PER_NODE to 4; a pod has 2 GPUs: omit it",
                        "container t sets WORLD_SIZE to 16; the job has 4 pods of 2 GPUs: omit it");
    }

    @Test
    void tellsOfAPodThatAsksForOtherGpusThanItsNodeTrainsOn() {
        String two = "a pod asks for 2 nvidia.com/gpu; the job has 16 GPUs on 4 nodes: ask for 4";
        assertThat(told("{name: t, resources: {limits: {nvidia.com/gpu: 2}}}")).containsExactly(two);
        assertThat(told("{name: t, resources: {requests: {nvidia.com/gpu: \"2\"}}}"))
                .containsExactly(two);
        assertThat(toldOf("Job", 4, "{name: t, resources: {limits: {nvidia.com/gpu: 8}}}"))
                .containsExactly("a pod asks for 8 nvidia.com/gpu; the job has 16 GPUs on 4 nodes: ask for 4");
        assertThat(told("{name: t, resources: {limits: {nvidia.com/gpu: 3}}}, {name: u, resources: {limits: "
                        + "{nvidia.com/gpu: 1}}}"))
                .as("containers of one pod share its node")
                .isEmpty();
        assertThat(told("{name: t, resources: {limits: {nvidia.com/gpu: 0}}}")).isEmpty();
        // 16 GPUs on nodes of six: the last has four
        assertThat(toldOf("Job", 3, "{name: t, resources: {limits: {nvidia.com/gpu: 6}}}"))
                .containsExactly("a pod asks for 6 nvidia.com/gpu; the job has 16 GPUs on 3 nodes: all its pods have"
                        + " more together; choose a parallelism that fills whole nodes");
        assertThat(toldOf("Job", 3, "{name: t, resources: {limits: {nvidia.com/gpu: 5}}}"))
                .containsExactly("a pod asks for 5 nvidia.com/gpu; the job has 16 GPUs on 3 nodes: ask for 6");
    }

    /** Three groups of 4 on nodes of 8: the first node has two of them, and both pods start processes for two. */
    @Test
    void tellsOfAPodThatAsksForGpusOfAnotherVendor() {
        String other = "a pod asks for amd.com/gpu and for no nvidia.com/gpu; GPUs of the fabric are counted by that"
                + " (gpuResource): ask for it";
        assertThat(told("{name: t, resources: {limits: {amd.com/gpu: 4}}}")).containsExactly(other);
        assertThat(told("{name: t, resources: {requests: {cpu: 1, amd.com/gpu: 4}}}"))
                .containsExactly(other);
        assertThat(told("{name: t, resources: {limits: {nvidia.com/gpu: 4}}}, {name: u, resources: {limits: "
                        + "{amd.com/gpu: 1}}}"))
                .isEmpty();
        assertThat(told("{name: t, resources: {limits: {cpu: 4}}}")).isEmpty();
    }

    @Test
    void aPodAsksForWhatTheFullestNodeNeeds() {
        SampleJob uneven = new SampleJob();
        uneven.tensor = 4;
        uneven.data = 3;
        String more =
                "a pod asks for 8 nvidia.com/gpu; the job has 12 GPUs on 2 nodes: all its pods have more together;"
                        + " choose a parallelism that fills whole nodes";
        assertThat(asking(uneven, 8)).containsExactly(more);
        for (int asked : new int[] {4, 6}) {
            assertThat(asking(uneven, asked))
                    .containsExactly(
                            "a pod asks for " + asked + " nvidia.com/gpu; the job has 12 GPUs on 2 nodes: ask for 8");
        }
        assertThat(asking(uneven, 12))
                .containsExactly("a pod asks for 12 nvidia.com/gpu; the job has 12 GPUs on 2 nodes: ask for 8");
        // between pods of a fabric each node may have six
        uneven.scaleOut = true;
        assertThat(asking(uneven, 6)).isEmpty();
        uneven.onSwitches = true;
        assertThat(asking(uneven, 6)).isEmpty();
        assertThat(asking(uneven, 8)).containsExactly(more);
        assertThat(asking(uneven, 4))
                .containsExactly("a pod asks for 4 nvidia.com/gpu; the job has 12 GPUs on 2 nodes: ask for at least 6");
    }

    private static List<String> asking(SampleJob sample, int gpus) {
        sample.template =
                new Workload(template("{name: t, resources: {limits: {nvidia.com/gpu: " + gpus + "}}}"), null);
        return TemplateContradictions.of(sample.job(), 2, 8, SampleJob.GPU_RESOURCE);
    }

    @Test
    void tellsOfFlagsWithAnotherSizeAlsoInsideAShellScript() {
        assertThat(
                        told(
                                "{name: t, command: [bash, -c, \"cd /x && torchrun --nnodes 8 t.py --tensor-model-parallel-size=4\"]}"))
                .containsExactly(
                        "container t runs with --nnodes=8; the job has 4 pods",
                        "container t runs with --tensor-model-parallel-size=4; spec.parallelism.tensor is 8: write the"
                                + " same in both");
        assertThat(told("{name: t, args: [\"--nnodes=$(NNODES)\", \"--nnodes=1:4\", \"--other-nnodes=3\"]}"))
                .isEmpty();
    }

    /** Its static rendezvous waits for as many as may come. */
    @Test
    void takesTheLargestNumberOfNodesThatTorchrunIsGiven() {
        assertThat(told("{name: t, command: [torchrun, \"--nnodes=2:8\", t.py]}"))
                .containsExactly("container t runs with --nnodes=8; the job has 4 pods");
    }

    @Test
    void tellsOfFlagsOfTorchtitan() {
        assertThat(told("{name: t, command: [torchrun, -m, torchtitan.train, --parallelism.tensor_parallel_degree=4,"
                        + " --parallelism.pipeline_parallel_degree, \"2\"]}"))
                .containsExactly(
                        "container t runs with --parallelism.pipeline-parallel-degree=2; spec.parallelism.pipeline is"
                                + " 1: write the same in both",
                        "container t runs with --parallelism.tensor-parallel-degree=4; spec.parallelism.tensor is 8:"
                                + " write the same in both");
        assertThat(told("{name: t, args: [--parallelism.tensor_parallel_degree=8,"
                        + " --parallelism.data_parallel_shard_degree=-1]}"))
                .isEmpty();
    }

    @Test
    void tellsOfFlagsOfMaxTextWhateverItSplitsOverSlices() {
        assertThat(told("{name: t, command: [python, -m, MaxText.train, c.yml, ici_tensor_parallelism=4]}"))
                .containsExactly("container t runs with ici and dcn tensor parallelism of 4; spec.parallelism.tensor is"
                        + " 8: write the same in both");
        assertThat(told("{name: t, args: [ici_tensor_parallelism=4, dcn_tensor_parallelism=2,"
                        + " ici_pipeline_parallelism=-1, dcn_data_parallelism=7]}"))
                .isEmpty();
    }

    @Test
    void tellsOfAnMpirunWithAnotherNumberOfRanksOrAnotherOrder() {
        assertThat(told("{name: t, command: [mpirun, -np, \"8\", --map-by, node, all_reduce_perf, -n, \"20\"]}"))
                .containsExactly(
                        "container t runs with --map-by node; neighbouring ranks are then in different pods and not"
                                + " along the light: write --map-by slot",
                        "container t runs with -np 8; the job has 16 GPUs: omit it");
        assertThat(told("{name: t, command: [bash, -c, \"mpirun -np 16 --map-by slot perf\"]}"))
                .isEmpty();
        assertThat(told("{name: t, command: [mpirun, -np, \"4\", -N, \"1\", \"true\"]}"))
                .as("one for each pod")
                .isEmpty();
    }

    @Test
    void tellsOfALauncherOfDeepSpeedThatTrainsAloneInEachPod() {
        String alone = "container t runs deepspeed with neither --hostfile nor --no-ssh; it then trains alone in each"
                + " pod: start the program with torchrun";
        assertThat(told("{name: t, command: [deepspeed, train.py]}")).containsExactly(alone);
        assertThat(told("{name: t, command: [sh, -c, \"/opt/bin/deepspeed --num_nodes=2 --num_gpus=2 train.py\"]}"))
                .containsExactly(
                        alone,
                        "container t runs with --num-gpus=2; a pod has 4 GPUs",
                        "container t runs with --num-nodes=2; the job has 4 pods");
        for (String well : new String[] {
            "torchrun train.py --deepspeed --deepspeed_config=ds.json",
            "deepspeed --hostfile=$LIGHTPATH_HOSTFILE train.py",
            "deepspeed --no_ssh --node_rank=$NODE_RANK train.py",
            "pip install deepspeed && torchrun train.py",
            "cd /opt/deepspeed && python train.py"
        }) {
            assertThat(told("{name: t, command: [bash, -c, \"" + well + "\"]}"))
                    .as(well)
                    .isEmpty();
        }
    }

    /** A pod has four GPUs. */
    @Test
    void aPodMayRunSeveralProcessesOfJaxThatShareItsGpus() {
        for (int processes : new int[] {4, 8, 16}) {
            assertThat(told("{name: t, env: [{name: JAX_NUM_PROCESSES, value: \"" + processes + "\"}]}"))
                    .isEmpty();
        }
        for (int processes : new int[] {0, 2, 6, 12, 32}) {
            assertThat(told("{name: t, env: [{name: JAX_NUM_PROCESSES, value: \"" + processes + "\"}]}"))
                    .containsExactly(
                            "container t sets JAX_NUM_PROCESSES to " + processes + "; the job has 4 pods: omit it");
        }
    }

    @Test
    void tellsOfARendezvousThatGivesRanksByHostNames() {
        assertThat(told("{name: t, command: [torchrun, --rdzv_backend=c10d, t.py]}"))
                .containsExactly("container t runs with --rdzv-backend=c10d; ranks then follow the host names and not"
                        + " the light: omit it");
        assertThat(told("{name: t, env: [{name: PET_RDZV_BACKEND, value: c10d}]}"))
                .containsExactly(
                        "container t sets PET_RDZV_BACKEND to c10d; ranks then follow the host names and not the"
                                + " light: omit it");
        assertThat(told("{name: t, command: [torchrun, --rdzv-backend, static, t.py]}"))
                .isEmpty();
    }

    /** Examples for one machine have them. */
    @Test
    void tellsOfFlagsWithWhichNoPodFindsTheOthers() {
        assertThat(told("{name: t, command: [torchrun, --standalone, --nproc-per-node=auto, t.py]}"))
                .containsExactly(
                        "container t runs with --standalone; each pod then waits for the others at an address of"
                                + " its own: omit it");
        assertThat(told("{name: t, command: [sh, -c, \"torchrun --node_rank 0 t.py\"]}"))
                .containsExactly(
                        "container t runs with --node-rank=0 in every pod; each has a rank of its own: omit it");
        assertThat(told("{name: t, command: [torchrun, --node-rank=$(NODE_RANK), --standalone-not, t.py]}"))
                .isEmpty();
    }

    /** Their processes get no variables of ours, and each pod may have a template of its own. */
    @Test
    void tellsOfTemplatesOfOthersWithoutSayingThatTheOperatorWouldWriteIt() {
        SampleJob sample = new SampleJob();
        sample.template = new Workload(null, new WorkloadReference("batch/v1", "Job", "mine", List.of()));
        assertThat(TemplateContradictions.of(
                        sample.job(),
                        List.of(
                                template("{name: master, env: [{name: RANK, value: \"0\"}]}"),
                                template("{name: t, env: [{name: NNODES, value: \"2\"}],"
                                        + " args: [--tensor-model-parallel-size=4]}")),
                        4,
                        4,
                        SampleJob.GPU_RESOURCE))
                .containsExactly(
                        "container t runs with --tensor-model-parallel-size=4; spec.parallelism.tensor is 8: write the"
                                + " same in both",
                        "container t sets NNODES to 2; the job has 4 pods");
    }

    /**
     * Nobody writes torchrun's variables into their pods: each process group is then the pod's own, and all seems well.
     */
    @Test
    void tellsOfATorchrunThatTrainsAloneInEachPod() {
        String alone = "container t runs torchrun with neither --nnodes nor PET_NNODES; it then trains alone in each"
                + " pod: set PET_NNODES to 4, PET_NODE_RANK, and PET_MASTER_ADDR to the host of rank 0";
        assertThat(toldOf("JobSet", 4, "{name: t, command: [torchrun, --nproc_per_node=4, train.py]}"))
                .containsExactly(alone);
        assertThat(toldOf("Job", 4, "{name: t, command: [bash, -c, \"cd /x && exec torchrun t.py\"]}"))
                .containsExactly(alone);
        assertThat(toldOf("Job", 4, "{name: t, command: [python, -m, torch.distributed.run, t.py]}"))
                .containsExactly(alone);
        assertThat(toldOf("Job", 1, "{name: t, command: [torchrun, t.py]}")).isEmpty();
        assertThat(toldOf("Job", 4, "{name: t, command: [torchrun, --nnodes=$(NODES), t.py]}"))
                .isEmpty();
        assertThat(toldOf("Job", 4, "{name: t, command: [torchrun, t.py], env: [{name: PET_NNODES, value: \"4\"}]}"))
                .isEmpty();
        assertThat(toldOf("Job", 4, "{name: t, command: [torchrun, t.py], envFrom: [{configMapRef: {name: c}}]}"))
                .isEmpty();
        assertThat(toldOf("Job", 4, "{name: t, command: [cat, torchrun.log]}")).isEmpty();
        // their controllers write the variables
        assertThat(toldOf("TrainJob", 4, "{name: t, command: [torchrun, t.py]}"))
                .isEmpty();
        assertThat(toldOf("PyTorchJob", 4, "{name: t, command: [torchrun, t.py]}"))
                .isEmpty();
        assertThat(told("{name: t, command: [torchrun, t.py]}")).isEmpty();
    }

    private static List<String> toldOf(String kind, int nodes, String container) {
        SampleJob sample = new SampleJob();
        sample.template = new Workload(null, new WorkloadReference("batch/v1", kind, "mine", List.of()));
        return TemplateContradictions.of(
                sample.job(), List.of(template(container)), nodes, Math.ceilDiv(16, nodes), SampleJob.GPU_RESOURCE);
    }

    @Test
    void tellsTheFirstFew() {
        assertThat(told("""
                {name: t, env: [{name: NNODES, value: "1"}, {name: PET_NNODES, value: "1"}, {name: RANK, value: "1"},
                 {name: NODE_RANK, value: "1"}, {name: WORLD_SIZE, value: "1"}]}
                """)).hasSize(4).last().isEqualTo("2 more");
    }

    private static List<String> told(String container) {
        SampleJob sample = new SampleJob();
        sample.template = new Workload(template(container), null);
        TrainingJob job = sample.job();
        return TemplateContradictions.of(job, 4, 4, SampleJob.GPU_RESOURCE);
    }

    private static JsonNode template(String container) {
        return Serialization.unmarshal("---\nspec: {containers: [" + container + "]}", JsonNode.class);
    }
}
