package dev.lightpath.planner.delta.iteration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.lightpath.planner.delta.model.CommunicationTask;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Dependency;
import dev.lightpath.planner.delta.model.Pod;
import dev.lightpath.planner.delta.model.PodPair;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.Test;

class TracedIterationTest {

    /** Slices keep such texts, and questions are named by the digest. */
    @Test
    void packsTheTextThatSlicesHave() throws IOException, NoSuchAlgorithmException {
        TracedIteration packed = TracedIteration.of(instance(2, List.of(0, 1), List.of(2, 3)));
        byte[] text = new InflaterInputStream(
                        new ByteArrayInputStream(Base64.getDecoder().decode(packed.packed())))
                .readAllBytes();
        assertThat(new String(text, StandardCharsets.UTF_8)).isEqualTo("""
                1.0E9 2 1 2 2
                0 4
                1 4
                4 0 1
                0 1 2 1.0E9 0,1 2,3
                0 1 2 1.0E9 0,1 2,3
                -1 0 0.5
                0 1 0.5
                """);
        assertThat(packed.digest())
                .isEqualTo(HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(text))
                        .substring(0, 32));
    }

    @Test
    void whatRepeatsItselfIsRefusedByWhatItUnpacksTo() {
        List<Integer> thousand = IntStream.range(0, 1000).boxed().toList();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TracedIteration.of(instance(2200, thousand, thousand)))
                .withMessage("the iteration is too long, allowed: at most 16777216 characters of text; record fewer"
                        + " micro-batches");
    }

    @Test
    void whatDoesNotPackIsRefusedBeforeItIsAllThere() {
        DeltaInstance one = instance(1, List.of(0), List.of(1));
        Random random = new Random(1);
        List<CommunicationTask> tasks = IntStream.range(0, 80_000)
                .mapToObj(id -> new CommunicationTask(id, "t", 0, 1, 1, random.nextDouble(), List.of(0), List.of(1)))
                .toList();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TracedIteration.of(
                        new DeltaInstance("i", 1e9, one.pods(), one.groups(), tasks, one.dependencies())))
                .withMessageContaining("at most 400000 characters packed");
    }

    @Test
    void countsAreCheckedBeforeThereIsRoomForThem() throws IOException {
        refused("1.0 2 1 2000000000 0\n", "has 20000000000 transfers, each counted as ten, allowed: at most 1048576");
        refused("1.0 2 1 1 2000000000\n", "has 2000000000 dependencies between transfers, allowed: at most 524288");
        refused("1.0 2000000000 1 1 0\n", "has 2000000000 pods, allowed");
        refused("1.0 2 2000000000 1 0\n", "pairs of pods, each counted as ten, allowed");
        refused(
                "1.0 2 1 1 0\n0 4\n1 4\n4 0 1\n0 1 1 1.0 " + String.join(",", Collections.nCopies(2_000_000, "0")),
                "has 2000000 ranks at the ends of transfers, allowed: at most 1048576");
        refused(" ".repeat(1 << 26), "at most 16777216 characters of text");
        refused("1.0 2 1 1 0\n0 4\n", "breaks off");
    }

    private static void refused(String text, String message) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        TracedIteration carried = new TracedIteration(
                "0f3a", 2, List.of(new PodPair(0, 1)), Base64.getEncoder().encodeToString(bytes.toByteArray()));
        assertThatIllegalArgumentException()
                .isThrownBy(carried::instance)
                .withMessageStartingWith("the packed iteration 0f3a")
                .withMessageContaining(message);
    }

    /** Transfers from pod 0 to pod 1, one after the other. */
    private static DeltaInstance instance(int transfers, List<Integer> from, List<Integer> to) {
        return DeltaInstance.withGroupPerPair(
                "i",
                1e9,
                List.of(new Pod(0, 4, true), new Pod(1, 4, true)),
                IntStream.range(0, transfers)
                        .mapToObj(id -> new CommunicationTask(id, "t", 0, 1, from.size(), 1e9, from, to))
                        .toList(),
                IntStream.range(0, transfers)
                        .mapToObj(id -> new Dependency(id - 1, id, 0.5))
                        .toList());
    }
}
