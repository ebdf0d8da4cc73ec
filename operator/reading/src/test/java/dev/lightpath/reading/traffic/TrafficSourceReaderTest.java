package dev.lightpath.reading.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.lightpath.crds.job.Model;
import dev.lightpath.crds.job.ModelPreset;
import dev.lightpath.crds.job.Rates;
import dev.lightpath.crds.job.TrafficFormat;
import dev.lightpath.crds.job.TrafficSource;
import dev.lightpath.crds.slice.RecordedTraffic;
import dev.lightpath.crds.slice.ScaleOutDemand;
import dev.lightpath.planner.ask.Iteration;
import dev.lightpath.planner.ask.PairDeal;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.PodPair;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.reading.TrafficReader;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TrafficSourceReaderTest {
    private static final TrafficSource AICB = new TrafficSource("llm-trace", TrafficFormat.AICB);
    private static final TrafficSource CHAKRA = new TrafficSource("llm-trace", TrafficFormat.CHAKRA);
    private static final String WORKLOAD = """
            HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 1 pp: 2 vpp: 1 ga: 2 all_gpus: 16 checkpoints: 0 checkpoint_initiates: 0 pp_comm: 1000.0
            3
            grad_gather	-1	1	NONE	0	1	NONE	0	1	ALLGATHER	4000	100
            mlp_layer	-1	1000	NONE	0	2000	NONE	0	1000	NONE	0	100
            mlp_layer	-1	1000	NONE	0	2000	NONE	0	1000	NONE	0	100
            """;

    private static TrafficSourceReader of(int tensor, int pipeline, int data, int stagesPerPod) {
        return new TrafficSourceReader(Parallelism.ofDegrees(tensor, pipeline, data, 1, 1), stagesPerPod, 8, 400);
    }

    private static SortedMap<String, byte[]> files(Object... keysAndContent) {
        SortedMap<String, byte[]> files = new TreeMap<>();
        for (int i = 0; i < keysAndContent.length; i += 2) {
            files.put(
                    (String) keysAndContent[i],
                    keysAndContent[i + 1] instanceof byte[] bytes
                            ? bytes
                            : ((String) keysAndContent[i + 1]).getBytes(StandardCharsets.UTF_8));
        }
        return files;
    }

    private static Demand.Traffic demand(int tensor, int pipeline, int data, RecordedTraffic recorded) {
        return TrafficReader.read(new ScaleOutDemand(
                new Model(ModelPreset.GPT_7B, null, 4096),
                new dev.lightpath.crds.job.Parallelism(tensor, pipeline, data, 1, 1),
                8,
                1,
                Rates.JOINT,
                "1e-9",
                null,
                null,
                null,
                recorded));
    }

    private static DeltaInstance instance(Demand.Traffic traffic, int stagesPerPod, int pods) {
        return new TopologyQuestion(
                        traffic.iteration(),
                        traffic.parallelism(),
                        stagesPerPod,
                        400,
                        Collections.nCopies(pods, 8),
                        traffic.goal(),
                        traffic.timeLimit())
                .instance();
    }

    @Test
    void aWorkloadFileBecomesTheProfileOfAStage() {
        RecordedTraffic recorded = of(2, 2, 4, 1).read(AICB, files("dense.txt", WORKLOAD));
        Demand.Traffic traffic = demand(2, 2, 4, recorded);
        Iteration.OfProfile profile = (Iteration.OfProfile) traffic.iteration();
        assertThat(profile.microBatches()).isEqualTo(2);
        assertThat(profile.forwardSeconds()).isCloseTo(1e-6, within(1e-15));
        assertThat(profile.backwardSeconds()).isCloseTo(3e-6, within(1e-15));
        assertThat(profile.pipelineBytes()).isEqualTo(2 * 1000);
        assertThat(profile.dataBytes())
                .as("two GPUs, a ring of four replicas: 3/4 of what is gathered")
                .isEqualTo(2 * 0.75 * 4000);
        assertThat(traffic.gpus()).isEqualTo(16);
        // two stages, one a pod, two micro-batches: an activation and a gradient each, and an exchange for each stage
        assertThat(instance(traffic, 1, 2).tasks()).hasSize(2 * 2 + 2);
    }

    @Test
    void tracesBecomeOneGraphOverAllPods() {
        RecordedTraffic recorded = of(1, 2, 2, 1)
                .read(
                        CHAKRA,
                        files(
                                "llm.0.et",
                                ChakraFiles.withMetadata()
                                        .compute(0, 100)
                                        .send(1, 1, 1 << 20, 0L)
                                        .bytes(),
                                "llm.1.et",
                                ChakraFiles.withMetadata().receive(0, 0).bytes(),
                                "llm.2.et",
                                ChakraFiles.withMetadata()
                                        .compute(0, 100)
                                        .send(1, 3, 1 << 20, 0L)
                                        .bytes(),
                                "llm.3.et",
                                ChakraFiles.withMetadata().receive(0, 2).bytes()));
        Demand.Traffic traffic = demand(1, 2, 2, recorded);
        assertThat(traffic.gpus()).isEqualTo(4);
        assertThat(traffic.stagesPerPod()).hasValue(1);
        assertThat(TopologyQuestion.deal(traffic.iteration(), traffic.parallelism(), 1))
                .isEqualTo(new PairDeal(4, java.util.List.of(new PodPair(0, 1), new PodPair(2, 3))));
        assertThat(instance(traffic, 1, 4).groups()).hasSize(2);
    }

    @Test
    void whatIsOfAnotherJobIsRefusedWithFileLineAndWhatIsAllowed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(2, 4, 2, 1).read(AICB, files("dense.txt", WORKLOAD)))
                .withMessage("dense.txt:1: pp: 2, allowed: 4, the stages (parallelism.pipeline) of the job");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(2, 2, 2, 1).read(AICB, files("dense.txt", WORKLOAD)))
                .withMessage("dense.txt:1: all_gpus: 16, allowed: 8, the GPUs of the job");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(2, 2, 4, 1).read(AICB, files("a", WORKLOAD, "b", WORKLOAD)))
                .withMessage("has keys [a, b], allowed: one, whose value is a SimAI workload");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(2, 2, 4, 1).read(AICB, files("dense.txt", new byte[] {(byte) 0xff, 0})))
                .withMessage("dense.txt: is no text, allowed: a SimAI workload");
    }

    @Test
    void tracesOfOtherRanksAreRefused() {
        byte[] rank = ChakraFiles.withMetadata().compute(0, 100).bytes();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(1, 2, 2, 1).read(CHAKRA, files("llm.0.et", rank, "llm.1.et", rank)))
                .withMessage("traces of 2 ranks, allowed: 4, one for each GPU of the job (spec.parallelism)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(1, 2, 1, 1).read(CHAKRA, files("llm.0.et", rank, "llm.1.et", rank)))
                .withMessageContaining("nothing is sent between pods");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(1, 2, 1, 1)
                        .read(
                                CHAKRA,
                                files(
                                        "llm.0.et",
                                        ChakraFiles.withMetadata().send(0, 7, 8).bytes(),
                                        "llm.1.et",
                                        rank)))
                .withMessageContaining("7");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(1, 3, 1, 2).read(CHAKRA, files("llm.0.et", rank)))
                .withMessageContaining("a divisor of the 3 stages");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(1, 2, 1, 1).read(CHAKRA, files("comm_group.json", "[1]", "llm.0.et", rank)))
                .withMessageStartingWith("comm_group.json: ");
    }

    /** Each level names the one before three times: as YAML, 3^16 copies of the first list. */
    @Test
    void groupsAreJsonAndNoYaml() {
        StringBuilder bomb = new StringBuilder("l0: &l0 [0]\n");
        for (int level = 1; level <= 16; level++) {
            bomb.append("l%1$d: &l%1$d [*l%2$d, *l%2$d, *l%2$d]\n".formatted(level, level - 1));
        }
        for (String groups : List.of(
                bomb.toString(),
                "&a [*a]",
                "'0': [0, 1]",
                "{\"0\": &x [0, 1], \"1\": *x}",
                "{\"0\": [0], \"0\": [1]}")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(
                            () -> of(1, 2, 1, 1).read(CHAKRA, files("comm_group.json", groups, "t.0.et", new byte[0])))
                    .withMessageMatching(
                            "comm_group.json: .*line 1, column .*; allowed: JSON with ranks by name of a group.*");
        }
    }

    @Test
    void groupsOfNoRanksOrOfTooManyAreRefused() {
        byte[] empty = new byte[0];
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(1, 2, 1, 1).read(CHAKRA, files("comm_group.json", "{\"7\": []}", "t.0.et", empty)))
                .withMessage("comm_group.json: 7: [], allowed: a list of ranks");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(1, 2, 1, 1)
                        .read(
                                CHAKRA,
                                files("comm_group.json", "{\"7\": [" + "0,".repeat(1 << 20) + "0]}", "t.0.et", empty)))
                .withMessageContaining("comm_group.json: is longer than 1048576 bytes");
    }

    /** 64 pods that exchange with each other, and thousands of steps that wait for all of it. */
    @Test
    void exchangesThatNobodyCanCompareAreRefused() {
        assertThat(afterAnExchange(30).pods()).isEqualTo(64);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> afterAnExchange(3000))
                .withMessageContaining("at most 8388608 transfers between pods that steps wait for");
    }

    /** Each transfer of one exchange waits for all of the one before. */
    @Test
    void exchangesThatWaitForEachOtherAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> exchanges(16, 11))
                .withMessageContaining("at most 524288 dependencies of transfers");
        assertThat(exchanges(8, 20).pods()).isEqualTo(8);
    }

    private static RecordedTraffic afterAnExchange(int steps) {
        ChakraFiles rank = ChakraFiles.withMetadata().collective(0, 6, 1 << 20, "");
        for (long node = 1; node <= steps; node++) {
            rank.compute(node, 1, node - 1);
        }
        return ofAll(64, rank);
    }

    private static RecordedTraffic exchanges(int pods, int exchanges) {
        ChakraFiles rank = ChakraFiles.withMetadata().collective(0, 6, 1 << 20, "");
        for (long node = 1; node < exchanges; node++) {
            rank.collective(node, 6, 1 << 20, "", node - 1);
        }
        return ofAll(pods, rank);
    }

    private static RecordedTraffic ofAll(int pods, ChakraFiles rank) {
        SortedMap<String, byte[]> files = new TreeMap<>();
        for (int i = 0; i < pods; i++) {
            files.put("llm." + i + ".et", rank.bytes());
        }
        return of(1, pods, 1, 1).read(CHAKRA, files);
    }
}
