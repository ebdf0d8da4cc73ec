package dev.lightpath.reading.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.lightpath.planner.delta.iteration.InstanceGenerator;
import dev.lightpath.planner.delta.iteration.IterationProfile;
import dev.lightpath.planner.delta.iteration.Placement;
import dev.lightpath.planner.delta.model.DeltaInstance;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AicbWorkloadTest {
    private static final Placement PLACEMENT = new Placement(1, 4, 400, false);

    private static final String DENSE = """
            HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 1 pp: 2 vpp: 1 ga: 2 all_gpus: 16 checkpoints: 0 checkpoint_initiates: 0 pp_comm: 1000.0
            7
            grad_gather	-1	1	NONE	0	1	NONE	0	1	ALLGATHER	4000	100
            grad_param_comm	-1	1	NONE	0	1	NONE	0	1	REDUCESCATTER	8000	100
            attention_layer	-1	3000	ALLREDUCE	50000	2000	NONE	0	1000	NONE	0	100
            mlp_layer	-1	1000	NONE	0	2000	NONE	0	1000	NONE	0	100
            attention_layer	-1	3000	ALLREDUCE	50000	2000	NONE	0	1000	NONE	0	100
            mlp_layer	-1	1000	NONE	0	2000	NONE	0	1000	NONE	0	100
            optimizer1	-1	1	ALLREDUCE	4	1	NONE	0	1	NONE	0	100
            """;

    @Test
    void countsOneStageOfOneReplica() {
        IterationProfile profile = profile(DENSE);
        assertThat(profile.stages()).isEqualTo(2);
        assertThat(profile.gpusPerStage()).isEqualTo(2);
        assertThat(profile.replicas()).isEqualTo(4);
        assertThat(profile.microBatches()).isEqualTo(2);
        assertThat(profile.forwardSeconds())
                .as("4 us of computing, an all-reduce of 50 000 B among two at 50 GB/s")
                .isCloseTo(4e-6 + 1e-6, within(1e-15));
        assertThat(profile.backwardSeconds()).isCloseTo(6e-6, within(1e-15));
        assertThat(profile.pipelineBytes()).isEqualTo(2000);
        assertThat(profile.dataBytes())
                .as("two rings of four replicas: 3/4 of what is gathered and scattered")
                .isEqualTo(2 * 0.75 * 12000);
    }

    @Test
    void becomesAnInstanceOfOneReplicaAndItsPeers() {
        DeltaInstance instance = InstanceGenerator.generate(profile(DENSE));
        assertThat(instance.name()).isEqualTo("dense");
        assertThat(instance.pods()).hasSize(4);
        assertThat(instance.tasks()).hasSize(2 * 2 + 2);
        assertThat(instance.groups()).hasSize(3);
    }

    @Test
    void keepsExpertGroupsInThePod() {
        IterationProfile profile = profile("""
                HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 4 pp: 1 vpp: 1 ga: 1 all_gpus: 16 checkpoints: 0 checkpoint_initiates: 0 pp_comm: 0
                2
                moe_grad_norm2	-1	1	NONE	0	1	NONE	0	1	REDUCESCATTER_DP_EP	1000	100
                mlp_moelayer	-1	1000	ALLTOALL_EP	100000	1	ALLTOALL_EP	100000	1	NONE	0	100
                """);
        assertThat(profile.gpusPerStage()).isEqualTo(8);
        assertThat(profile.replicas()).isEqualTo(2);
        assertThat(profile.forwardSeconds()).isCloseTo(1e-6 + 0.75 * 100000 / 5e10, within(1e-15));
        assertThat(profile.dataBytes()).isEqualTo(8 * 0.5 * 1000);
    }

    /**
     * AICB's files of 2024 say neither pp nor ga nor all_gpus, and gather parameters in the forward pass of grad_norm.
     */
    @Test
    void readsOlderFilesWithTheGpusGivenBesideThem() {
        AicbWorkload workload = AicbWorkload.parse("old.txt", """
                HYBRID_TRANSFORMER_FWD_IN_BCKWD	model_parallel_NPU_group: 8 checkpoints: 0 checkpoint_initiates: 0
                3
                norm	-1	0	BROADCAST	16384	1	NONE	0	1	NONE	0	100
                grad_norm	-1	14565000	ALLGATHER	2000	13391000	NONE	0	1	REDUCESCATTER	4000	100
                attention_layer	-1	752000	ALLREDUCE	0	752000	ALLREDUCE	0	752000	NONE	0	100
                """.lines().toList());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> workload.profile(OptionalInt.empty(), PLACEMENT, 400))
                .withMessageContaining("all_gpus: missing");
        IterationProfile profile = workload.profile(OptionalInt.of(16), PLACEMENT, 400);
        assertThat(profile.replicas()).isEqualTo(2);
        assertThat(profile.dataBytes()).isEqualTo(8 * 0.5 * 6000);
        assertThat(profile.forwardSeconds()).isCloseTo(752e-6, within(1e-12));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HYBRID_TRANSFORMER_FWD_IN_BCKWD | MICRO | bad.txt:1: parallelism 'MICRO', allowed: HYBRID_TRANSFORMER",
                "model_parallel_NPU_group: 2 | tp: 2 | bad.txt:1: model_parallel_NPU_group: missing",
                "pp: 2 | pp: two | bad.txt:1: pp: 'two', allowed: a whole number of at least 1",
                "pp_comm: 1000.0 | pp_comm: 0 | bad.txt:1: pp: 2 without pp_comm",
                "checkpoints: 0 | checkpoints: 3 | bad.txt:1: checkpoints: 3, allowed: 0",
                "all_gpus: 16 | all_gpus: 18 | all_gpus: 18, allowed: a multiple of 4",
                "ga: 2 | ga: 3 | ga: 3, allowed: a divisor of the 4 lines of layers",
                "ALLGATHER | ALLGATHERS | bad.txt:3: column 10: 'ALLGATHERS', allowed: NONE ALLGATHER ALLREDUCE ALLTOALL",
                "3000 | -1 | bad.txt:5: column 3: '-1', allowed: a number, 0 or more",
                "optimizer1 | optimizer 1 | bad.txt:9: column 3: ",
                "NONE | '' | bad.txt:3: 11 columns, allowed: 12",
                "7 | 8 | bad.txt:2: 8 layers announced, 7 follow",
            })
    void saysWhatIsWrongAndWhere(String text, String instead, String message) {
        List<String> lines = DENSE.replaceFirst("(?m)" + (text.equals("7") ? "^7$" : text), instead)
                .lines()
                .toList();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AicbWorkload.parse("bad.txt", lines).profile(OptionalInt.empty(), PLACEMENT, 400))
                .withMessageStartingWith(message);
    }

    private static IterationProfile profile(String text) {
        return AicbWorkload.parse("somewhere/dense.txt", text.lines().toList())
                .profile(OptionalInt.empty(), PLACEMENT, 400);
    }
}
