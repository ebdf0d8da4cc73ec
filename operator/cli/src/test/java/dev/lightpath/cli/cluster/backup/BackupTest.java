package dev.lightpath.cli.cluster.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.cli.Json;
import dev.lightpath.cli.cluster.access.ClusterOptions;
import dev.lightpath.crds.job.TrainingJob;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupTest {
    private static final int LEVELS = 1001;

    /** Records of some jobs are larger together than what a parser of YAML reads unasked. */
    @Test
    void readsABackupOfMoreThanThreeMillionCharacters(@TempDir Path folder) throws IOException {
        String recorded = "x".repeat(400_000);
        String jobs = IntStream.range(0, 10)
                .mapToObj(job -> "{\"apiVersion\": \"lightpath.dev/v1alpha1\", \"kind\": \"TrainingJob\","
                        + " \"metadata\": {\"name\": \"j" + job + "\", \"namespace\": \"team\"},"
                        + " \"spec\": {\"workload\": {\"template\": {\"recorded\": \"" + recorded + "\"}}}}")
                .collect(Collectors.joining(",\n"));
        Path file = Files.writeString(
                folder.resolve("backup.json"),
                "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [" + jobs + "]}");
        assertThat(BackupFile.read(file, ClusterOptions.serialization()).jobs()).hasSize(10);
    }

    /** The API server takes it: whoever may write one job keeps nobody from saving all. */
    @Test
    void savesWhatIsNestedDeeperThanJacksonGoesUnasked() {
        KubernetesSerialization serialization = ClusterOptions.serialization();
        String deep = "[".repeat(LEVELS) + "]".repeat(LEVELS);
        TrainingJob job = serialization.unmarshal(
                "{\"apiVersion\": \"lightpath.dev/v1alpha1\", \"kind\": \"TrainingJob\", \"metadata\": {\"name\": \"odd\"},"
                        + " \"spec\": {\"workload\": {\"template\": {\"deep\": " + deep + "}}}}",
                TrainingJob.class);
        Backup backup =
                Backup.of(serialization, List.of(), List.of(), List.of(job), List.of(), List.of(), Optional.empty());
        assertThat(Json.write(backup.list()).replaceAll("\\s", "")).contains("\"deep\":" + deep);
        assertThat(backup.yaml()).contains("- ".repeat(LEVELS - 1) + "[]");
    }
}
