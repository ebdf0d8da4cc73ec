package dev.lightpath.cli.cluster.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.cli.Json;
import dev.lightpath.cli.cluster.access.ClusterOptions;
import dev.lightpath.crds.job.TrainingJob;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BackupTest {
    private static final int LEVELS = 1001;

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
