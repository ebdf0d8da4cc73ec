package dev.lightpath.images;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The installation as a user makes it, on nodes where pods run: {@code deploy/real-node-story}, with images of this build.
 * It runs with {@code -Preal-node} only, and fails with one line where the machine lacks something.
 */
class RealNodeIT {
    @TempDir
    Path images;

    @Test
    void aJobRunsSurvivesANodeAndAnUpgradeAndNothingIsLeft() throws IOException, InterruptedException {
        Path checkout = Path.of(System.getProperty("basedir", "."), "../..").toRealPath();
        Path output = Files.createDirectories(checkout.resolve("deploy/images/target"))
                .resolve("real-node-story.log");
        Process story = new ProcessBuilder(
                        checkout.resolve("deploy/real-node-story").toString(), "--images", images.toString())
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
        assertThat(output).content().contains("Verified: first job Ready");
    }
}
