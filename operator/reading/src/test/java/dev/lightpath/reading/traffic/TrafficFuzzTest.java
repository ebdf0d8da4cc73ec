package dev.lightpath.reading.traffic;

import dev.lightpath.crds.job.TrafficFormat;
import dev.lightpath.crds.job.TrafficSource;
import dev.lightpath.fuzz.Fuzz;
import dev.lightpath.planner.delta.iteration.Parallelism;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** What a user may put into the ConfigMap of a job's traffic. */
class TrafficFuzzTest {
    private static final byte[] FIRST = ChakraFiles.withMetadata()
            .compute(0, 100)
            .send(1, 1, 1 << 20, 0L)
            .collective(2, 0, 1 << 20, "0", 1L)
            .bytes();
    private static final byte[] SECOND = ChakraFiles.withMetadata()
            .compute(0, 100)
            .receive(1, 0, 0L)
            .collective(2, 0, 1 << 20, "0", 1L)
            .bytes();
    private static final List<byte[]> GROUPS = Fuzz.texts("{\"0\": [0, 1]}", "{\"0\": [0], \"1\": [1]}", "{}");

    @Test
    void groups() throws Exception {
        Fuzz.read("comm-group", GROUPS, IllegalArgumentException.class, groups -> chakra(groups, FIRST, SECOND));
    }

    @Test
    void traces() throws Exception {
        Fuzz.read(
                "chakra",
                List.of(FIRST, SECOND),
                IllegalArgumentException.class,
                trace -> chakra(GROUPS.getFirst(), trace, SECOND));
    }

    @Test
    void packedTraces() throws Exception {
        Fuzz.read(
                "chakra-gzip",
                List.of(packed(FIRST), packed(SECOND)),
                IllegalArgumentException.class,
                trace -> chakra(GROUPS.getFirst(), trace, SECOND));
    }

    @Test
    void tracesInsideSoundPacking() throws Exception {
        Fuzz.read(
                "chakra-in-gzip",
                List.of(FIRST, SECOND),
                IllegalArgumentException.class,
                trace -> chakra(GROUPS.getFirst(), packed(trace), SECOND));
    }

    @Test
    void workloads() throws Exception {
        Fuzz.read(
                "simai",
                Fuzz.texts(
                        "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 1 ep: 1 pp: 2 vpp: 1 ga: 2 all_gpus: 2 checkpoints: 0"
                                + " checkpoint_initiates: 0 pp_comm: 1000.0\n2\n"
                                + "grad_gather\t-1\t1\tNONE\t0\t1\tNONE\t0\t1\tALLGATHER\t4000\t100\n"
                                + "mlp_layer\t-1\t1000\tNONE\t0\t2000\tNONE\t0\t1000\tNONE\t0\t100\n"),
                IllegalArgumentException.class,
                workload -> read(TrafficFormat.AICB, Map.of("workload.txt", workload)));
    }

    private static void chakra(byte[] groups, byte[] first, byte[] second) {
        read(TrafficFormat.CHAKRA, Map.of("comm_group.json", groups, "t.0.et", first, "t.1.et", second));
    }

    private static void read(TrafficFormat format, Map<String, byte[]> content) {
        Map<String, String> binary = new TreeMap<>();
        content.forEach((key, value) -> binary.put(key, Base64.getEncoder().encodeToString(value)));
        new TrafficSourceReader(Parallelism.ofDegrees(1, 2, 1, 1, 1), 1, 8, 400)
                .read(
                        new TrafficSource("trace", format),
                        "default",
                        new ConfigMapBuilder().withBinaryData(binary).build());
    }

    private static byte[] packed(byte[] trace) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(packed)) {
            zip.write(trace);
        }
        return packed.toByteArray();
    }
}
