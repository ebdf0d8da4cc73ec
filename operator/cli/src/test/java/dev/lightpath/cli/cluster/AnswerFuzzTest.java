package dev.lightpath.cli.cluster;

import dev.lightpath.cli.cluster.access.OperatorAnswer;
import dev.lightpath.cli.cluster.access.OperatorView;
import dev.lightpath.cli.cluster.forecast.JobManifests;
import dev.lightpath.console.forecast.FaultName;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.fuzz.Fuzz;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs in files, names of faults, and what an operator answers. */
class AnswerFuzzTest {
    @TempDir
    private Path folder;

    @Test
    void jobs() throws Exception {
        Path file = folder.resolve("jobs.yaml");
        Fuzz.read(
                "cli-jobs",
                Fuzz.texts(
                        "---\nkind: ConfigMap\n---\n{apiVersion: lightpath.dev/v1alpha1, kind: TrainingJob, metadata: {name: a}}\n",
                        "kind: List\nitems: [{apiVersion: lightpath.dev/v1alpha1, kind: TrainingJob, metadata: {name: b}}, {kind: Secret}]\n"),
                BadInput.class,
                bytes -> JobManifests.read(Files.write(file, bytes)));
    }

    @Test
    void views() throws Exception {
        Fuzz.read(
                "cli-view",
                Fuzz.texts(
                        "{\"hiddenSlices\": 2, \"fabrics\": [], \"devices\": [{\"name\": \"n0\", \"presence\": \"present\", \"wanted\": [\"1->2\"],"
                                + " \"observed\": [], \"missing\": [], \"surplus\": []}], \"slices\": [{\"namespace\": \"a\", \"name\": \"b\", \"revision\": 3}]}"),
                BadInput.class,
                bytes -> new OperatorAnswer("the operator", new String(bytes, StandardCharsets.UTF_8))
                        .as(OperatorView.class, "view"));
    }

    @Test
    void faults() throws Exception {
        Fuzz.read(
                "fault-name",
                Fuzz.texts("node/n3", "port/n3/b0.path1", "switch/ocs-3/17", "n3"),
                BadInput.class,
                bytes -> FaultName.parse(new String(bytes, StandardCharsets.UTF_8)));
    }
}
