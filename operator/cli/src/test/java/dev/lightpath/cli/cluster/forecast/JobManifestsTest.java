package dev.lightpath.cli.cluster.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.console.text.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobManifestsTest {
    private static final String JOB = "{apiVersion: lightpath.dev/v1alpha1, kind: TrainingJob, metadata: {name: %s}}";

    @TempDir
    private Path folder;

    @Test
    void takesAllJobsOfAFileAndNothingElse() throws IOException {
        String text = "---\nkind: ConfigMap\n---\n" + JOB.formatted("a") + "\n---\n---\nkind: List\nitems: ["
                + JOB.formatted("b") + ", {kind: Secret}]\n";
        assertThat(JobManifests.read(file(text)))
                .extracting(job -> job.at("/metadata/name").asText())
                .containsExactly("a", "b");
    }

    @Test
    void readsWhatIsNestedDeeperThanJacksonGoesUnasked() throws IOException {
        String job = JOB.replace(
                "}}", "}, spec: {workload: {template: {deep: " + "[".repeat(1001) + "]".repeat(1001) + "}}}}");
        assertThat(JobManifests.read(file(job.formatted("odd")))).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'a: [b'|job.yaml:1: is no YAML",
                "'{a: 1, a: 2}'|job.yaml:1: is no YAML: Duplicate field 'a'",
                "'[1]'|kind: missing",
                "'kind: Pod'|holds no TrainingJob (lightpath.dev/v1alpha1), but Pod",
                "''|holds no TrainingJob (lightpath.dev/v1alpha1), but nothing",
                "'{apiVersion: x/v1, kind: TrainingJob}'|apiVersion: 'x/v1', allowed: lightpath.dev/v1alpha1",
                "'{apiVersion: lightpath.dev/v1alpha1, kind: TrainingJob}'|metadata.name: missing"
            })
    void refusesInOneLineThatNamesTheFile(String text, String reason) throws IOException {
        Path file = file(text);
        assertThatThrownBy(() -> JobManifests.read(file))
                .isInstanceOf(BadInput.class)
                .hasMessageStartingWith(file.toString())
                .hasMessageContaining(reason);
    }

    @Test
    void namesAFileThatIsNotThere() {
        assertThatThrownBy(() -> JobManifests.read(folder.resolve("none.yaml")))
                .isInstanceOf(BadInput.class)
                .hasMessageEndingWith("none.yaml: there is no such file");
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("job.yaml"), text);
    }
}
