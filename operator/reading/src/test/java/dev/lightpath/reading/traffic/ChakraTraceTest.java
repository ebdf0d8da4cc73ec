package dev.lightpath.reading.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.lightpath.planner.delta.iteration.CollectiveKind;
import dev.lightpath.planner.delta.iteration.ExecutionTrace;
import dev.lightpath.planner.delta.iteration.RankPlacement;
import dev.lightpath.planner.delta.iteration.TraceInstance;
import dev.lightpath.planner.delta.iteration.TraceStep;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class ChakraTraceTest {

    @Test
    void readsEveryKindOfStep() {
        ExecutionTrace trace = read(
                Map.of("0", List.of(0, 1)),
                ChakraFiles.withMetadata()
                        .compute(10, 250)
                        .send(11, 1, 4096, 10L)
                        .collective(12, 0, 1 << 20, "0", 10L, 11L)
                        .bytes(),
                ChakraFiles.withMetadata()
                        .receive(5, 0)
                        .collective(6, 0, 1 << 20, "0", 5L)
                        .bytes());
        assertThat(trace.name()).isEqualTo("llm");
        assertThat(trace.ranks().get(0))
                .containsExactly(
                        new TraceStep.Compute("node 10 (n10)", List.of(), 250e-6),
                        new TraceStep.Send("node 11 (n11)", List.of(0), 1, 3, 4096),
                        new TraceStep.Collective(
                                "node 12 (n12)", List.of(0, 1), CollectiveKind.ALL_REDUCE, List.of(0, 1), 1 << 20));
        assertThat(trace.ranks().get(1).getFirst()).isEqualTo(new TraceStep.Receive("node 5 (n5)", List.of(), 0, 3));
    }

    @Test
    void takesACollectiveWithoutGroupForOneOfAllRanks() {
        byte[] file = ChakraFiles.withMetadata().collective(0, 6, 8, "").bytes();
        assertThat(read(Map.of(), file, file, file).ranks().getLast().getFirst())
                .isEqualTo(new TraceStep.Collective(
                        "node 0 (n0)", List.of(), CollectiveKind.ALL_TO_ALL, List.of(0, 1, 2), 8));
    }

    /** A trace with an all-gather of 8 bytes in group 7, which notes process groups as PyTorch does. */
    private static byte[] noting(String groups) {
        return ChakraFiles.withMetadata()
                .record(out -> {
                    out.writeUInt64(1, 1);
                    out.writeString(2, "## process_group:init ##");
                    out.writeEnum(3, 1);
                    out.writeByteArray(8, ChakraFiles.message(inputs -> inputs.writeString(1, groups)));
                })
                .collective(2, 2, 8, "7")
                .bytes();
    }

    @Test
    void findsTheProcessGroupsThatPyTorchNotes() {
        byte[] noted = noting("['[{\"pg_name\": \"7\", \"pg_desc\": \"dp\", \"ranks\": [0, 2], \"group_size\": 2}]']");
        byte[] idle = ChakraFiles.withMetadata().compute(0, 1).bytes();
        TraceStep step = read(Map.of(), noted, idle, noted).ranks().getFirst().getLast();
        assertThat(step)
                .isInstanceOfSatisfying(
                        TraceStep.Collective.class,
                        collective -> assertThat(collective.group()).containsExactly(0, 2));
    }

    @Test
    void groupsThatAreToldGoBeforeThoseThatATraceNotes() {
        byte[] noted = noting("{\"pg_name\": \"7\", \"ranks\": [0, 2]} {\"pg_name\": \"8\", \"ranks\": [0]}");
        byte[] other = ChakraFiles.withMetadata().collective(0, 2, 8, "7").bytes();
        assertThat(read(Map.of("7", List.of(1, 0)), noted, other).ranks())
                .allSatisfy(steps -> assertThat(steps.getLast())
                        .isInstanceOfSatisfying(
                                TraceStep.Collective.class,
                                collective -> assertThat(collective.group()).containsExactly(0, 1)));
        refused(
                "llm.1.et: node 0 (n0): pg_name '8': no such process group",
                Map.of(
                        "llm.0.et",
                        noted,
                        "llm.1.et",
                        ChakraFiles.withMetadata().collective(0, 2, 8, "8").bytes()),
                Map.of("7", List.of(0, 1)));
    }

    @Test
    void waitsOnceForANodeThatIsNamedAgain() {
        byte[] file = ChakraFiles.withMetadata()
                .compute(0, 1)
                .compute(1, 1)
                .compute(2, 1, 1L, 0L, 1L, 1L, 0L)
                .bytes();
        assertThat(read(Map.of(), file).ranks().getFirst().getLast().after()).containsExactly(1, 0);
    }

    @Test
    void readsCompressedFilesAndFilesWithoutMetadata() throws IOException {
        byte[] plain = new ChakraFiles().collective(0, 0, 8, "").bytes();
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
            out.write(plain);
        }
        ExecutionTrace trace = read(Map.of(), plain, compressed.toByteArray());
        assertThat(trace.ranks().get(1)).isEqualTo(trace.ranks().get(0)).hasSize(1);
    }

    @Test
    void saysInWhichRecordAFileBreaksOff() {
        byte[] whole = ChakraFiles.withMetadata().compute(0, 1).compute(1, 1).bytes();
        for (int length = 1; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            try {
                assertThat(ChakraTrace.nodes("llm.0.et", part, new TraceAllowance(TraceLimits.NONE)))
                        .hasSizeLessThan(2);
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageMatching("llm\\.0\\.et: record [012]: does not parse as a Chakra message: .*");
            }
        }
        refused("llm.0.et: record 1: does not parse as a Chakra message: it says it has", Arrays.copyOf(whole, 12));
        refused(
                "llm.0.et: record 0: ",
                "no trace at all, but some text".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        refused("llm.0.et: is empty", new byte[0]);
    }

    @Test
    void saysWhichNodeIsWrong() {
        refused(
                "llm.0.et: node 0 (n0): comm_type 4, allowed: 0 all-reduce, 2 all-gather",
                ChakraFiles.withMetadata().collective(0, 4, 8, "").bytes());
        refused(
                "llm.0.et: node 0 (n0): pg_name '9': no such process group",
                ChakraFiles.withMetadata().collective(0, 0, 8, "9").bytes());
        refused(
                "llm.0.et: node 1 (n1): data_deps: there is no node 77",
                ChakraFiles.withMetadata().compute(1, 5, 77L).bytes());
        refused(
                "llm.0.et: node 1 (n1): its id repeats",
                ChakraFiles.withMetadata().compute(1, 5).compute(1, 5).bytes());
        refused(
                "llm.0.et: node 1 (n1): type 0, allowed: 1 to 7",
                ChakraFiles.withMetadata().node(1, 0, 0, List.of(), out -> {}).bytes());
        refused(
                "llm.0.et: node 1 (n1): comm_dst: missing",
                ChakraFiles.withMetadata().node(1, 5, 0, List.of(), out -> {}).bytes());
        refused(
                "llm.0.et: node 1 (n1): bytes: -5.0, allowed: a finite number",
                ChakraFiles.withMetadata().send(1, 0, -5).bytes());
        refused(
                "llm.0.et: node 1 (n1): involved_dim leaves a dimension out",
                ChakraFiles.withMetadata()
                        .node(1, 7, 0, List.of(), out -> {
                            ChakraFiles.attribute(out, "comm_type", value -> value.writeInt64(9, 0));
                            ChakraFiles.attribute(
                                    out,
                                    "involved_dim",
                                    value -> value.writeByteArray(
                                            28,
                                            ChakraFiles.message(list -> list.writeByteArray(1, new byte[] {1, 0}))));
                        })
                        .bytes());
    }

    @Test
    void wantsOneFileForEachRankOfOneTrace() {
        byte[] file = ChakraFiles.withMetadata().compute(0, 1).bytes();
        refused("llm.1.et: is missing, there are files up to rank 2", Map.of("llm.0.et", file, "llm.2.et", file));
        refused("t.0.et: is missing, there are files up to rank 2147483647", Map.of("t.2147483647.et", file));
        refused("other.1.et: is of another trace than llm.*", Map.of("llm.0.et", file, "other.1.et", file));
        refused("no trace, allowed: a file PREFIX.RANK.et for each rank", Map.of());
    }

    /** Whether ranks fit together shows only when they are put into pods. */
    @Test
    void namesTheFileOfANodeThatDoesNotFitTheOthers() {
        ExecutionTrace trace = read(
                Map.of(),
                ChakraFiles.withMetadata().compute(0, 1).bytes(),
                ChakraFiles.withMetadata().receive(5, 0).bytes());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TraceInstance.of(trace, new RankPlacement(1, 2, 4, 400, 400)))
                .withMessageStartingWith("llm.1.et: rank 1, node 5 (n5): receives from rank 0");
    }

    /** What is small when packed: nothing of it is held beyond the limits. */
    @Test
    void holdsNoMoreThanIsAllowed() throws IOException {
        tooMuch("262144", packed(new byte[] {0}, 100_000_000));
        tooMuch(
                "33554432",
                packed(
                        new ChakraFiles()
                                .node(1, 4, 0, List.of(), out -> out.writeByteArray(99, new byte[1 << 20]))
                                .bytes(),
                        100));
        tooMuch(
                "1048576",
                packed(
                        ChakraFiles.withMetadata()
                                .record(out -> out.writeByteArray(5, new byte[2_000_000]))
                                .bytes(),
                        1));
    }

    @Test
    void countsTheRanksOfAllCollectives() {
        byte[] three = ChakraFiles.withMetadata()
                .collective(0, 6, 8, "")
                .collective(1, 6, 8, "")
                .bytes();
        SortedMap<String, byte[]> files = new TreeMap<>(Map.of("llm.0.et", three, "llm.1.et", three));
        assertThat(ChakraTrace.read(files, Map.of(), new TraceLimits(1000, 100, 100, 8))
                        .ranks())
                .hasSize(2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ChakraTrace.read(files, Map.of(), new TraceLimits(1000, 100, 100, 7)))
                .withMessage("llm.1.et: the traces have too many ranks in collectives, allowed: at most 7 together;"
                        + " record fewer micro-batches");
    }

    /** A text that looks like the beginning of a group again and again is passed over once. */
    @Test
    void readsProcessGroupsInOnePass() {
        byte[] noted = ChakraFiles.withMetadata()
                .record(out -> {
                    out.writeUInt64(1, 1);
                    out.writeString(2, "## process_group:init ##");
                    out.writeEnum(3, 1);
                    out.writeByteArray(
                            8,
                            ChakraFiles.message(inputs -> inputs.writeString(
                                    1,
                                    "{" + "\"pg_name\": \"\" ".repeat(1_000_000)
                                            + "} {\"pg_name\": \"7\", \"ranks\": [0, 1]}")));
                })
                .collective(2, 2, 8, "7")
                .bytes();
        assertThat(read(Map.of(), noted, noted).ranks().getFirst().getLast())
                .isInstanceOfSatisfying(
                        TraceStep.Collective.class,
                        collective -> assertThat(collective.group()).containsExactly(0, 1));
    }

    private static void tooMuch(String most, byte[] packed) {
        assertThat(packed).hasSizeLessThan(1 << 20);
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        ChakraTrace.read(new TreeMap<>(Map.of("llm.0.et", packed)), Map.of(), TraceLimits.CONFIG_MAP))
                .withMessageContaining("allowed: at most " + most + " together");
    }

    private static byte[] packed(byte[] content, int times) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        byte[] some = content.length > 1 ? content : new byte[100_000];
        try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
            for (long written = 0; written < (long) content.length * times; written += some.length) {
                out.write(some);
            }
        }
        return compressed.toByteArray();
    }

    private static void refused(String message, byte[] content) {
        refused(message, Map.of("llm.0.et", content));
    }

    private static void refused(String message, Map<String, byte[]> files) {
        refused(message, files, Map.of());
    }

    private static void refused(String message, Map<String, byte[]> files, Map<String, List<Integer>> groups) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ChakraTrace.read(new TreeMap<>(files), groups, TraceLimits.NONE))
                .withMessageStartingWith(message);
    }

    private static ExecutionTrace read(Map<String, List<Integer>> groups, byte[]... files) {
        SortedMap<String, byte[]> byName = new TreeMap<>();
        for (int rank = 0; rank < files.length; rank++) {
            byName.put("llm." + rank + ".et", files[rank]);
        }
        return ChakraTrace.read(byName, groups, TraceLimits.NONE);
    }
}
