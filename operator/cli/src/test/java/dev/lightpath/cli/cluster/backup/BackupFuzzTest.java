package dev.lightpath.cli.cluster.backup;

import dev.lightpath.cli.cluster.access.ClusterOptions;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.fuzz.Fuzz;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code restore} is given. */
class BackupFuzzTest {
    @TempDir
    private Path folder;

    @Test
    void backups() throws Exception {
        Path file = folder.resolve("backup.yaml");
        KubernetesSerialization serialization = ClusterOptions.serialization();
        Fuzz.read(
                "cli-backup",
                Fuzz.texts("""
                        apiVersion: v1
                        kind: List
                        items:
                          - {apiVersion: v1, kind: ConfigMap, metadata: {name: lightpath-epoch, namespace: lightpath-system},
                             data: {epoch: "7"}}
                          - {apiVersion: v1, kind: Node, metadata: {name: n0, labels: {lightpath.dev/ring-position: "0"}}}
                          - {apiVersion: lightpath.dev/v1alpha1, kind: OpticalFabric, metadata: {name: ring-a},
                             spec: {ocsTrx: {positions: 8, reach: 3, driver: {endpoint: "driver:9440"}}}}
                          - {apiVersion: lightpath.dev/v1alpha1, kind: TrainingJob, metadata: {name: llm, namespace: team},
                             spec: {model: {preset: gpt-7b}, parallelism: {tensor: 8, data: 2}, scaleUp: {fabric: ring-a}}}
                          - {apiVersion: lightpath.dev/v1alpha1, kind: FabricSlice,
                             metadata: {name: llm-ring-a-1, namespace: team, uid: u}, spec: {fabric: ring-a}, status: {allocation: {revision: 1,
                             groups: [{members: [{node: n0, position: 0}]}]}}}
                        """, "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [{\"kind\": \"Node\"}]}"),
                BadInput.class,
                bytes -> {
                    BackupFile read = BackupFile.read(Files.write(file, bytes), serialization);
                    read.wholeSlices().forEach(read::parts);
                });
    }
}
