package dev.lightpath.soak;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.app.whole.Installation;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A slice of what {@code lightpath study live} plays, by the packaged command line against the packaged operator. */
@ExtendWith(ApiServerExtension.class)
class LiveStudyIT {
    private static final Path COMMAND_LINE = Path.of("target", "lightpath-soak.jar");

    @Test
    void findsNothingInTwoDaysOfFaultsAndJobs(ApiServer server, @TempDir Path folder)
            throws IOException, InterruptedException {
        assertThat(COMMAND_LINE)
                .as("the packaged command line; ./mvnw verify builds it first")
                .exists();
        try (Installation all = new Installation(server, folder, 16)) {
            all.start();
            Path kubeconfig = Files.writeString(folder.resolve("admin.kubeconfig"), server.kubeConfigYaml());
            Path out = folder.resolve("study.json");
            Path progress = folder.resolve("study.log");
            Process study = new ProcessBuilder(
                            ProcessHandle.current().info().command().orElse("java"),
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "--enable-native-access=ALL-UNNAMED",
                            "-jar",
                            COMMAND_LINE.toString(),
                            "study",
                            "live",
                            "--kubeconfig",
                            kubeconfig.toString(),
                            "--emulator",
                            all.emulator(),
                            "--from",
                            "59.5",
                            "--days",
                            "2",
                            "--speed",
                            "1e6",
                            "--turnovers",
                            "8",
                            "--limit",
                            "180",
                            "-o",
                            "json")
                    .redirectOutput(out.toFile())
                    .redirectError(progress.toFile())
                    .start();
            try {
                assertThat(study.waitFor(20, TimeUnit.MINUTES)).isTrue();
            } finally {
                study.destroyForcibly();
            }
            assertThat(study.exitValue()).as(Files.readString(progress)).isZero();
            JsonNode report = new ObjectMapper().readTree(out.toFile());
            assertThat(report.get("findings")).isEmpty();
            assertThat(report.get("moments").size()).isGreaterThan(24);
            assertThat(report.get("nodeFaults").asInt()).isGreaterThan(6);
            assertThat(report.get("jobsArrived").asInt()).isGreaterThan(8);
        }
    }
}
