package dev.lightpath.cli.delta;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.cli.Lightpath;
import dev.lightpath.planner.delta.iteration.InstanceGenerator;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.model.DeltaInstance;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ManifestsTest {
    private static final String JOB = """
            apiVersion: lightpath.dev/v1alpha1
            kind: TrainingJob
            metadata: {name: big}
            spec:
              model: {preset: megatron-177b}
              parallelism: {tensor: 8, pipeline: 6, data: 8}
              scaleOut: {fabric: spine}
            """;
    private static final String FABRIC = """
            apiVersion: lightpath.dev/v1alpha1
            kind: OpticalFabric
            metadata: {name: spine}
            spec:
              ocs:
                circuitGbps: 400
                pods:
                - {name: pod-0, index: 0, ports: 16, gpus: 64}
                - {name: pod-1, index: 1, ports: 20, gpus: 16}
                - {name: pod-2, index: 2, ports: 20, gpus: 32}
                topology: {logical: {}}
            """;
    /** The shape of megatron-177b, written out. */
    private static final String SHAPE =
            "{shape: {layers: 96, hiddenSize: 12288, attentionHeads: 96, headDimension: 128, vocabularySize: 131072,"
                    + " totalParameters: 177182736384, activeParameters: 175572123648,"
                    + " effectiveTeraflopsPerGpu: \"432.8\"}}";
    /** The same: its vocabulary says how many parameters work on a token. */
    private static final String DENSE =
            "{shape: {layers: 96, hiddenSize: 12288, attentionHeads: 96, headDimension: 128, vocabularySize: 131072,"
                    + " totalParameters: 177182736384, effectiveTeraflopsPerGpu: \"432.8\"}}";

    @TempDir
    Path folder = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @ValueSource(strings = {"{preset: megatron-177b}", SHAPE, DENSE})
    void giveTheInstanceOfThePreset(String model) throws IOException {
        assertThat(generate(JOB.replace("{preset: megatron-177b}", model), FABRIC))
                .as(err.toString())
                .isZero();
        DeltaInstance instance = InstanceFile.read(Files.writeString(folder.resolve("made.json"), out.toString()));
        DeltaInstance preset = InstanceGenerator.generate(Preset.MEGATRON_177B.workload());
        assertThat(instance.tasks()).isEqualTo(preset.tasks());
        assertThat(instance.dependencies()).isEqualTo(preset.dependencies());
        assertThat(instance.pods()).isEqualTo(preset.pods());
        assertThat(instance.groups()).isEqualTo(preset.groups());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fabric: spine | fabric: leaf | spec.scaleOut.fabric: 'leaf', allowed: spine",
                "tensor: 8 | tensors: 8 | spec.parallelism.tensors: unknown field, allowed: context data expert minimumData pipeline",
                "tensor: 8, | '' | spec.parallelism.tensor: missing, it is required",
                "tensor: 8 | tensor: 0 | spec.parallelism.tensor: 0, allowed: a whole number from 1 to 16384",
                "tensor: 8 | tensor: eight | spec.parallelism.tensor: \"eight\", allowed: a whole number",
                "tensor: 8 | tensor: 8.5 | spec.parallelism.tensor: 8.5, allowed: a whole number",
                "tensor: 8 | tensor: .nan | job.yaml:6: is no YAML: Malformed numeric value",
                "tensor: 8 | tensor: null | spec.parallelism.tensor: null, allowed: a whole number",
                "data: 8 | data: 16384, context: 16384 | spec.parallelism: tensor * pipeline * data * context",
                "data: 8 | data: 8, data: 4 | Duplicate field 'data'",
                "data: 8 | data: 8, expert: 12 | spec.parallelism.expert: 12 x 1, allowed: a multiple of 8",
                "pipeline: 6 | pipeline: 10 | fabric.yaml: spec.ocs.pods: 3 pods, allowed: at least 5, for 10 pipeline stages",
                "tensor: 8, pipeline: 6, data: 8 | tensor: 8 | spec.parallelism: one replica in one pod sends nothing",
                "tensor: 8 | tensor: 32 | fabric.yaml: spec.ocs.pods[1].gpus: 16, allowed: at least 32",
                "{fabric: spine} | {fabric: spine, stagesPerPod: 3} | spec.scaleOut.stagesPerPod: 3, allowed: 1 to 2",
                "{fabric: spine} | {fabric: spine, rates: Greedy} | spec.scaleOut.rates: \"Greedy\", allowed: Fair Joint",
                "scaleOut: {fabric: spine} | microBatches: 4 | spec.scaleOut: missing",
                "{preset: megatron-177b} | {} | spec.model: allowed: exactly one of preset and shape",
                "{preset: megatron-177b} | {preset: gpt-9} | spec.model.preset: \"gpt-9\", allowed: deepseek-671b gpt-7b",
                "{preset: megatron-177b} | {preset: gpt-7b, sequenceLength: 0} | spec.model.sequenceLength: 0, allowed",
                "{name: big} | {} | metadata.name: missing",
                "{name: big} | {name: big, colour: red} | metadata.colour: unknown field",
                "v1alpha1 | v1 | apiVersion: 'lightpath.dev/v1', allowed: lightpath.dev/v1alpha1",
                "kind: TrainingJob | kind: Job | kind: 'Job', allowed: TrainingJob",
                "spec: | specs: | specs: unknown field, allowed: apiVersion kind metadata spec status"
            })
    void refuseABadJobInOneLine(String text, String instead, String message) throws IOException {
        assertThat(JOB).contains(text);
        assertThat(generate(JOB.replace(text, instead), FABRIC)).isEqualTo(2);
        assertThat(err.toString()).contains(".yaml").contains(message).hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ports: 20, gpus: 32 | ports: 20, gpu: 32 | spec.ocs.pods[2].gpu: unknown field, allowed: gpus index name ports",
                "ports: 16 | ports: -1 | spec.ocs.pods[0].ports: -1, allowed: a whole number from 1 to 65536",
                "pod-1 | pod-0 | spec.ocs.pods[1].name: 'pod-0' repeats",
                "{logical: {}} | {twistedTorus: {cubes: 2x2x4}} | spec.ocs.topology: {\"twistedTorus\"",
                "circuitGbps: 400 | circuitGbps: 1e99 | spec.ocs.circuitGbps: 1.0E99, allowed: a whole number from 1 to 1000000",
                "circuitGbps | speed | spec.ocs.speed: unknown field"
            })
    void refuseABadFabricInOneLine(String text, String instead, String message) throws IOException {
        assertThat(FABRIC).contains(text);
        assertThat(generate(JOB, FABRIC.replace(text, instead))).isEqualTo(2);
        assertThat(err.toString()).contains("fabric.yaml: ").contains(message).hasLineCount(1);
    }

    @Test
    void refuseMoreMicroBatchesThanCanBeHeldInOneLine() throws IOException {
        assertThat(generate(JOB.replace("spec:", "spec:\n  microBatches: 65000"), FABRIC))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("job.yaml: spec.microBatches: 65000, allowed: at most 43690 with 6 stages")
                .hasLineCount(1);
    }

    @Test
    void refuseASecondDocumentInOneLine() throws IOException {
        assertThat(generate(JOB + "---\n" + JOB.replace("big", "other"), FABRIC))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("job.yaml: 2 YAML documents, allowed: one, a TrainingJob")
                .hasLineCount(1);
    }

    @Test
    void mayBeginAndEndWithALineOfDashes() throws IOException {
        assertThat(generate("---\n" + JOB + "---\n", FABRIC)).as(err.toString()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"'', is empty", "'# nothing', is empty", "'just words', an object is wanted", "'a: [', is no YAML"})
    void refuseWhatIsNoManifestInOneLine(String text, String message) throws IOException {
        assertThat(generate(text, FABRIC)).isEqualTo(2);
        assertThat(err.toString()).contains("job.yaml").contains(message).hasLineCount(1);
    }

    @Test
    void refuseABinaryFileInOneLine() throws IOException {
        byte[] bytes = {(byte) 0x7f, 'E', 'L', 'F', 2, 1, 1, 0, (byte) 0xff, (byte) 0xfe, 0, 3};
        assertThat(generate(new String(bytes, StandardCharsets.ISO_8859_1), FABRIC))
                .isEqualTo(2);
        assertThat(err.toString()).contains("job.yaml").hasLineCount(1);
    }

    @Test
    void comeFromStandardInputOnlyOnce() {
        assertThat(run("delta", "generate", "--job", "-", "--fabric", "-")).isEqualTo(2);
        assertThat(err.toString())
                .contains("--job - --fabric -: allowed: one of them from standard input")
                .hasLineCount(1);
    }

    private int generate(String job, String fabric) throws IOException {
        Path jobFile = Files.writeString(folder.resolve("job.yaml"), job, StandardCharsets.ISO_8859_1);
        Path fabricFile = Files.writeString(folder.resolve("fabric.yaml"), fabric);
        return run("delta", "generate", "--job", jobFile.toString(), "--fabric", fabricFile.toString());
    }

    private int run(String... arguments) {
        CommandLine command = Lightpath.commandLine();
        command.setOut(new PrintWriter(out));
        command.setErr(new PrintWriter(err));
        return command.execute(arguments);
    }
}
