package dev.lightpath.cli.delta;

import dev.lightpath.console.text.BadInput;
import dev.lightpath.fuzz.Fuzz;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files for {@code lightpath delta}. */
class FileFuzzTest {
    @TempDir
    private Path folder;

    @Test
    void manifests() throws Exception {
        Path file = folder.resolve("job.yaml");
        ManifestSchema schema = ManifestSchema.of("trainingjobs");
        Fuzz.read(
                "cli-manifest",
                Fuzz.texts("""
                        apiVersion: lightpath.dev/v1alpha1
                        kind: TrainingJob
                        metadata: {name: big}
                        spec:
                          model: {preset: megatron-177b}
                          parallelism: {tensor: 8, pipeline: 6, data: 8}
                          scaleOut: {fabric: spine}
                        """, """
                        apiVersion: lightpath.dev/v1alpha1
                        kind: TrainingJob
                        metadata: {name: shaped}
                        spec:
                          model: {shape: {layers: 96, hiddenSize: 12288, attentionHeads: 96, headDimension: 128, vocabularySize: 131072,
                            totalParameters: 177182736384, activeParameters: 175572123648, effectiveTeraflopsPerGpu: "432.8"}}
                          parallelism: {tensor: 8}
                        """),
                BadInput.class,
                bytes -> Manifest.read(Files.write(file, bytes), schema));
    }

    @Test
    void instances() throws Exception {
        Path file = folder.resolve("instance.json");
        Fuzz.read(
                "cli-instance", Fuzz.texts("""
                        {"format": "delta-instance/1", "name": "a", "circuitBytesPerSecond": 5e10,
                         "pods": [{"id": 0, "ports": 4, "counted": true}, {"id": 1, "ports": 4, "counted": true}],
                         "tasks": [{"id": 1, "name": "pp", "src": 0, "dst": 1, "flows": 2, "bytes": 1048576}],
                         "deps": [{"pre": 0, "post": 1, "delaySeconds": 0.5}]}"""), BadInput.class, bytes -> InstanceFile.read(Files.write(file, bytes)));
    }
}
