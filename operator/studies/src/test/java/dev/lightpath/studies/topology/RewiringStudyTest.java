package dev.lightpath.studies.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.cli.TestRun;
import dev.lightpath.studies.LightpathStudies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RewiringStudyTest {

    @TempDir
    private Path folder;

    @Test
    void tellsAndDrawsHowMuchLightMoves() throws IOException {
        Path plot = folder.resolve("rewiring.svg");
        TestRun run = TestRun.of(
                LightpathStudies.commandLine(), "study", "rewiring", "--output", "json", "--plot", plot.toString());
        assertThat(run.exitCode()).as(run.err()).isZero();
        for (JsonNode row : run.json().get("rows")) {
            assertThat(row.get("moved").asInt())
                    .as("%s", row)
                    .isBetween(
                            row.get("lower bound").asInt(),
                            row.get("from scratch").asInt());
        }
        assertThat(Files.readString(plot)).contains("<svg", "<path", "</svg>");
    }
}
