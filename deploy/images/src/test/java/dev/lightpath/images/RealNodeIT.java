package dev.lightpath.images;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The installation as a user makes it, on nodes where pods run: {@code deploy/real-node-story}, with images of this
 * build. It runs with {@code -Preal-node} only, and fails with one line where the machine lacks something.
 */
class RealNodeIT {
    @TempDir
    Path images;

    @Test
    void aJobRunsSurvivesANodeAndAnUpgradeAndNothingIsLeft() throws IOException, InterruptedException {
        assertThat(story("real-node-story")).contains("Verified: first job Ready");
    }

    /**
     * From the last tag before this commit, the commit before it if there is none, or {@code -Dlightpath.from=COMMIT}.
     */
    @Test
    void anEarlierVersionIsUpgradedUnderARunningJobAndBack() throws IOException, InterruptedException {
        String from = System.getProperty("lightpath.from", "");
        if (from.isEmpty()) {
            Process tags = new ProcessBuilder("git", "describe", "--tags", "--abbrev=0", "HEAD^")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            from = new String(tags.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (from.isEmpty()) {
                from = "HEAD^";
            }
        }
        assertThat(story("upgrade", "--from", from)).contains("second upgrade in", "Verified: first job Ready");
    }

    private String story(String log, String... more) throws IOException, InterruptedException {
        Path checkout = Path.of(System.getProperty("basedir", "."), "../..").toRealPath();
        Path output = Files.createDirectories(checkout.resolve("deploy/images/target"))
                .resolve(log + ".log");
        List<String> command = new ArrayList<>(
                List.of(checkout.resolve("deploy/real-node-story").toString(), "--images", images.toString()));
        command.addAll(List.of(more));
        Process story = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            int code = story.waitFor();
            assertThat(code).as(Files.readString(output)).isZero();
        } finally {
            story.descendants().forEach(ProcessHandle::destroy);
            story.destroy();
        }
        return Files.readString(output);
    }
}
