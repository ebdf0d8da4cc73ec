package dev.lightpath.crds.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlPlaneBinariesTest {

    @TempDir
    Path folder;

    @Test
    void takesTheParentOfTheFolderThatTheScriptPrints() throws IOException {
        Files.createDirectories(folder.resolve("k8s/1.36.1-linux-amd64"));
        ControlPlaneBinaries binaries = ControlPlaneBinaries.of(script("echo " + folder.resolve("bin")));
        assertThat(binaries.home()).isEqualTo(folder);
        assertThat(binaries.version()).isEqualTo("1.36.1");
    }

    @Test
    void saysInOneLineWhyThereIsNoApiServer() throws IOException {
        Path script = script("echo building >&2; echo 'no go on PATH' >&2; exit 1");
        assertThatThrownBy(() -> ControlPlaneBinaries.of(script))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no API server for the integration tests: " + script
                        + " ended with 1: no go on PATH (-DskipITs builds without them)");
    }

    @Test
    void saysWhatIsMissingInAnEmptyCache() {
        assertThatThrownBy(() -> new ControlPlaneBinaries(folder).version())
                .hasMessageContaining(folder.resolve("k8s") + " cannot be read");
    }

    private Path script(String body) throws IOException {
        Path script = folder.resolve("binaries");
        Files.writeString(script, "#!/bin/sh\n" + body + "\n");
        return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    }
}
