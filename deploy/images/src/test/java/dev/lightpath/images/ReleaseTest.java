package dev.lightpath.images;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code deploy/release} in a small repository; what builds there are stand-ins that leave one file each. */
class ReleaseTest {

    private static final Path SCRIPT = Path.of(System.getProperty("basedir", "."), "../release");

    @TempDir
    Path folder;

    private Path repository;
    private Path output;

    @BeforeEach
    void prepare() throws IOException, InterruptedException {
        repository = Files.createDirectories(folder.resolve("repository"));
        output = folder.resolve("output");
        write("docs/CHANGELOG.md", """
                # Changes

                ## Unreleased

                * Not of the release.

                ## 1.2.3

                * Of the release.

                ## 1.2.2

                * Long ago.
                """);
        script("deploy/release", Files.readString(SCRIPT));
        script("mvnw", "touch built");
        script("deploy/images/build", """
                [ "$1 $2 $3" = "--tag 1.2.3 --output" ] && [ -f "$(dirname "$0")/../../built" ] || exit 1
                echo tar > "$4/lightpath-operator.tar"
                echo "lightpath-operator:1.2.3 sha256:abc 1 MB $4/lightpath-operator.tar"
                """);
        script("deploy/plugin/build", """
                [ "$1 $2 $3" = "--plugin-version 1.2.3 --output" ] && [ "$5" = --download ] && echo "$6" > "$4/lightpath.yaml"
                """);
        write("deploy/helm/lightpath/Chart.yaml", "name: lightpath\nversion: 1.2.3\nappVersion: 1.2.3\n");
        script("deploy/helm/helm", """
                [ "$1 $3 $4 $5 $6 $7" = "package --version 1.2.3 --app-version 1.2.3 --destination" ] && cp "$2/Chart.yaml" "$8/chart.tgz"
                """);
        script("deploy/olm/build", """
                [ "$1 $2 $3" = "--version 1.2.3 --output" ] && mkdir -p "$4/manifests" && echo csv > "$4/manifests/csv.yaml"
                """);
        write("deploy/kubernetes/kustomization.yaml", "images:\n  - {name: lightpath-operator, newTag: 1.2.3}\n");
        write(
                "operator/cli/src/main/java/dev/lightpath/cli/Version.java",
                "    public static final String VERSION = \"1.2.3\";\n");
        write("crds/src/main/kubernetes/a.yaml", "kind: A\n");
        git("init", "--quiet");
        git("add", "--all");
        git("commit", "--quiet", "--message=All");
        git("tag", "v1.2.3");
    }

    @Test
    void makesAllFilesFromTheTagAndNotFromTheWorkingTree() throws IOException, InterruptedException {
        script("deploy/images/build", "exit 3");
        Run run = release("v1.2.3", "--output", output.toString(), "--download", "https://example.org/d");
        assertThat(run.code()).as(run.text()).isZero();
        assertThat(names(output))
                .containsExactly(
                        "SHA256SUMS",
                        "chart.tgz",
                        "lightpath-bundle-1.2.3.tar.gz",
                        "lightpath-manifests-1.2.3.tar.gz",
                        "lightpath-operator.tar",
                        "lightpath.yaml",
                        "notes.md");
        assertThat(output.resolve("notes.md")).hasContent("""
                # Lightpath 1.2.3

                * Of the release.

                ## Images

                    lightpath-operator:1.2.3 sha256:abc 1 MB lightpath-operator.tar
                """);
        assertThat(Tool.run(List.of("bash", "-c", "cd '" + output + "' && sha256sum --check --strict SHA256SUMS")))
                .contains("chart.tgz: OK", "notes.md: OK");
        assertThat(Tool.run(List.of(
                        "tar",
                        "-tzf",
                        output.resolve("lightpath-manifests-1.2.3.tar.gz").toString())))
                .contains(
                        "lightpath-manifests-1.2.3/deploy/kubernetes/kustomization.yaml",
                        "lightpath-manifests-1.2.3/crds/src/main/kubernetes/a.yaml");
    }

    @Test
    void saysInADryRunWhatItWouldDoAndWritesNothing() throws IOException, InterruptedException {
        Run run = release("v1.2.3", "--dry-run");
        assertThat(run.code()).as(run.text()).isZero();
        assertThat(run.text())
                .contains(
                        "clone v1.2.3",
                        "mvnw",
                        "deploy/images/build",
                        "deploy/plugin/build",
                        "deploy/helm/helm package",
                        "deploy/olm/build",
                        "git archive",
                        "* Of the release.")
                .doesNotContain("Not of the release", "Long ago");
        assertThat(repository.resolve("target")).doesNotExist();
    }

    @Test
    void endsWithTheFailureOfABuild() throws IOException, InterruptedException {
        script("deploy/plugin/build", "echo no room on device >&2; exit 5");
        git("commit", "--quiet", "--all", "--message=Break");
        git("tag", "--force", "v1.2.3");
        Run run = release("v1.2.3", "--output", output.toString());
        assertThat(run.code()).isEqualTo(5);
        assertThat(run.text()).contains("no room on device");
        assertThat(output)
                .as("so that the next attempt finds nothing in its way")
                .doesNotExist();
    }

    @Test
    void refusesInOneLine() throws IOException, InterruptedException {
        git("tag", "v1.3.0");
        Files.createDirectories(output);
        Files.writeString(output.resolve("left"), "from before");
        assertRefused("which tag?");
        assertRefused("tag 1.2.3: allowed is vX.Y.Z", "1.2.3");
        assertRefused("there is no tag v9.9.9", "v9.9.9");
        assertRefused("docs/CHANGELOG.md of v1.3.0 has no section '## 1.3.0'", "v1.3.0");
        assertRefused("is not empty", "v1.2.3", "--output", output.toString());
        assertRefused("--download http://a: allowed is https://", "v1.2.3", "--download", "http://a");
        assertRefused("--output: a value is missing", "v1.2.3", "--output");
        assertRefused("there is no option --sign", "v1.2.3", "--sign");
    }

    /** Else its manifests would install other images, and its plug-in would call itself older than the operator. */
    @Test
    void refusesSourcesOfAnotherVersion() throws IOException, InterruptedException {
        write("docs/CHANGELOG.md", "## 1.2.4\n\n* More.\n");
        git("commit", "--quiet", "--all", "--message=More");
        git("tag", "v1.2.4");
        write("deploy/helm/lightpath/Chart.yaml", "name: lightpath\nversion: 1.2.4\nappVersion: 1.2.4\n");
        write("deploy/kubernetes/kustomization.yaml", "images:\n  - {name: lightpath-operator, newTag: 1.2.4}\n");
        assertRefused("a file of v1.2.4 says ", "v1.2.4", "--dry-run");
        git("commit", "--quiet", "--all", "--message=Manifests");
        git("tag", "--force", "v1.2.4");
        assertRefused("says 'public static final String VERSION = \"1.2.3\";', and not 1.2.4", "v1.2.4", "--dry-run");
        write(
                "operator/cli/src/main/java/dev/lightpath/cli/Version.java",
                "    public static final String VERSION = \"1.2.4\";\n");
        git("commit", "--quiet", "--all", "--message=Program");
        git("tag", "--force", "v1.2.4");
        Run run = release("v1.2.4", "--dry-run");
        assertThat(run.code()).as(run.text()).isZero();
    }

    private void assertRefused(String words, String... arguments) throws IOException, InterruptedException {
        Run run = release(arguments);
        assertThat(run.code()).as(run.text()).isEqualTo(2);
        assertThat(run.text()).startsWith("release: ").contains(words).hasLineCount(1);
    }

    private record Run(int code, String text) {}

    private Run release(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(repository.resolve("deploy/release").toString());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Run(process.waitFor(), text);
    }

    private void git(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of("git", "-C", repository.toString(), "-c", "user.name=A", "-c", "user.email=a@example.org"));
        command.addAll(List.of(arguments));
        Tool.run(command);
    }

    private void script(String file, String content) throws IOException {
        Path written = write(file, content.startsWith("#!") ? content : "#!/bin/bash\n" + content + "\n");
        Files.setPosixFilePermissions(written, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Path write(String file, String content) throws IOException {
        Path path = repository.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, content);
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
