package dev.lightpath.cli.delta;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedOutputStream;
import dev.lightpath.cli.TestRun;
import dev.lightpath.planner.delta.model.DeltaInstance;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TracesTest {
    @TempDir
    Path folder = Path.of("");

    @Test
    void makesAnInstanceOfASimAiWorkload() throws IOException {
        DeltaInstance instance = generated("--aicb " + dense());
        assertThat(instance.name()).isEqualTo("dense");
        assertThat(instance.pods())
                .hasSize(4)
                .allSatisfy(pod -> assertThat(pod.ports()).isEqualTo(2));
        assertThat(instance.tasks()).hasSize(2 * 2 + 2);
        assertThat(solved()).isTrue();
    }

    @Test
    void putsAsManyStagesIntoAPodAsTheFabricHasRoomFor() throws IOException {
        Path fabric = Files.writeString(folder.resolve("fabric.yaml"), """
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalFabric
                metadata: {name: spine}
                spec:
                  ocs:
                    gpusPerNode: 4
                    pods: [{name: a, index: 0, ports: 8, gpus: 4}, {name: b, index: 1, ports: 6, gpus: 5}]
                    topology: {logical: {}}
                """);
        DeltaInstance instance = generated("--aicb " + dense() + " --fabric " + fabric);
        assertThat(instance.pods())
                .hasSize(2)
                .allSatisfy(pod -> assertThat(pod.ports()).isEqualTo(6));
        assertThat(instance.tasks()).allSatisfy(task -> assertThat(task.name()).contains("dp"));
    }

    @Test
    void makesAnInstanceOfChakraTraces() throws IOException {
        for (int rank = 0; rank < 4; rank++) {
            allReduce("llm." + rank + ".et", rank % 2);
        }
        Files.writeString(folder.resolve("comm_group.json"), "{\"0\": [0, 2], \"1\": [1, 3]}");
        DeltaInstance instance = generated("--chakra " + folder + " --gpus-per-pod 2 --ports 3 --gbps 200");
        assertThat(instance.circuitBytesPerSecond()).isEqualTo(25e9);
        assertThat(instance.tasks())
                .hasSize(4)
                .allSatisfy(task -> assertThat(task.bytes()).isEqualTo(1 << 20));
        assertThat(solved()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--gpus-per-pod 1 --pods 3 | rank 3 sits in pod 3, allowed: pods 0 to 2",
                "--gpus-per-pod 4 | nothing is sent between pods",
                "--gpus 4 | --gpus: allowed with --aicb only",
                "--aicb x.txt | allowed: exactly one of",
                "--ports 0 | --ports 0: allowed: 1 or more",
                "--reversed | --reversed: allowed with --preset only",
            })
    void refusesWhatDoesNotFitATrace(String options, String message) throws IOException {
        for (int rank = 0; rank < 4; rank++) {
            allReduce("llm." + rank + ".et", 0);
        }
        Files.writeString(folder.resolve("comm_group.json"), "{\"0\": [0, 1, 2, 3]}");
        refused("--chakra " + folder + " " + options, message);
    }

    @Test
    void saysWhichRecordOfWhichFileDoesNotParse() throws IOException {
        allReduce("llm.0.et", 0);
        allReduce("llm.1.et", 0);
        Path broken = folder.resolve("llm.1.et");
        byte[] whole = Files.readAllBytes(broken);
        Files.write(broken, Arrays.copyOf(whole, whole.length - 3));
        Files.writeString(folder.resolve("comm_group.json"), "{\"0\": [0, 1]}");
        refused("--chakra " + folder, "llm.1.et: record 1: does not parse as a Chakra message");
        Files.writeString(folder.resolve("comm_group.json"), "{\"0\": \"all\"}");
        refused("--chakra " + folder, "comm_group.json: 0: \"all\", allowed: a list of ranks");
        refused("--chakra " + folder.resolve("nowhere"), "there is no such folder");
    }

    @Test
    void saysWhichFileOfAFolderCannotBeRead() throws IOException {
        allReduce("llm.0.et", 0);
        Path second = folder.resolve("llm.1.et");
        Files.createDirectory(second);
        refused("--chakra " + folder, second + ": cannot be read: Is a directory");
        Files.delete(second);
        Files.createSymbolicLink(second, folder.resolve("nowhere"));
        refused("--chakra " + folder, second + ": there is no such file");
    }

    @Test
    void refusesMoreStagesThanPods() {
        refused("--aicb " + dense() + " --pods 1", "dense.txt: pp: 2 stages, 1 in a pod, need 2 pods");
        refused("--aicb " + dense() + " --gpus-per-pod 1", "GPUs per pod: 1, allowed: at least 2");
        refused("--aicb " + dense() + " --gpus 6", "all_gpus: 6, allowed: a multiple of 4");
        refused("--preset gpt-7b --ports 4", "--ports");
    }

    private DeltaInstance generated(String options) throws IOException {
        TestRun run = TestRun.of(("delta generate " + options).split(" "));
        assertThat(run.err()).isEmpty();
        return InstanceFile.read(Files.writeString(folder.resolve("instance.json"), run.out()));
    }

    private boolean solved() {
        TestRun run = TestRun.of(("delta solve -o json --instance " + folder.resolve("instance.json")).split(" "));
        return run.json().get("proved").asBoolean();
    }

    private static void refused(String options, String message) {
        TestRun run = TestRun.of(("delta generate " + options).split(" "));
        assertThat(run.err()).contains(message).hasLineCount(1);
        assertThat(run.exitCode()).isEqualTo(2);
    }

    private static String dense() {
        try {
            return Path.of(Objects.requireNonNull(TracesTest.class.getResource("/traffic/dense.txt"))
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A rank that enters one all-reduce of a process group: metadata and one node, each after its length. */
    private void allReduce(String name, int group) throws IOException {
        List<byte[]> attributes = new ArrayList<>();
        attributes.add(message(out -> {
            out.writeString(1, "comm_type");
            out.writeInt64(9, 0);
        }));
        attributes.add(message(out -> {
            out.writeString(1, "comm_size");
            out.writeInt64(9, 1 << 20);
        }));
        attributes.add(message(out -> {
            out.writeString(1, "pg_name");
            out.writeString(29, "" + group);
        }));
        byte[] node = message(out -> {
            out.writeUInt64(1, 0);
            out.writeString(2, "allreduce");
            out.writeEnum(3, 7);
            for (byte[] attribute : attributes) {
                out.writeByteArray(10, attribute);
            }
        });
        Files.write(folder.resolve(name), message(out -> {
            out.writeByteArrayNoTag(message(metadata -> metadata.writeString(1, "1.0.0")));
            out.writeByteArrayNoTag(node);
        }));
    }

    private interface Fields {
        void write(CodedOutputStream out) throws IOException;
    }

    private static byte[] message(Fields fields) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        fields.write(out);
        out.flush();
        return bytes.toByteArray();
    }
}
