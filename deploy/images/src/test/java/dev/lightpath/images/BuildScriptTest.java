package dev.lightpath.images;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scripts where nothing is built yet. */
class BuildScriptTest {
    @TempDir
    Path checkout;

    @ParameterizedTest
    @ValueSource(strings = {"images", "plugin"})
    void refusesAnUnknownOptionBeforeItBuilds(String folder) throws IOException, InterruptedException {
        Path build = Path.of("deploy", folder, "build");
        Path script = checkout.resolve(build);
        Files.createDirectories(script.getParent());
        Files.copy(Path.of(System.getProperty("basedir", ".")).resolve("../..").resolve(build), script);
        Path mvnw = Files.writeString(checkout.resolve("mvnw"), "#!/bin/sh\necho built >&2\nexit 9\n");
        assertThat(mvnw.toFile().setExecutable(true)).isTrue();

        Process process = new ProcessBuilder("bash", script.toString(), "--bogus")
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isEqualTo(2);
        assertThat(said.lines()).singleElement().asString().startsWith("build: unknown option --bogus; allowed are --");
    }
}
