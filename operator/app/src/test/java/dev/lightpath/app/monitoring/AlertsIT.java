package dev.lightpath.app.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Alerts as promtool plays them: each fires when it should, and none does in normal work. Runs with
 * {@code -Pdashboards}.
 */
@Tag("dashboards")
class AlertsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(15);

    @TempDir
    private Path folder;

    private String promtool(String... arguments) throws IOException, InterruptedException {
        String[] command = new String[arguments.length + 2];
        command[0] = Prometheus.PROGRAM.toString();
        command[1] = "promtool";
        System.arraycopy(arguments, 0, command, 2, arguments.length);
        return LocalEnvironment.run(PATIENCE, command);
    }

    private String play(String rules) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("rules.yaml"), rules);
        Path cases = folder.resolve("alerts.test.yaml");
        Files.writeString(cases, Files.readString(AlertsTest.CASES));
        return promtool("test", "rules", cases.toString());
    }

    @Test
    void eachFiresWhenItShouldAndNoneInNormalWork() throws IOException, InterruptedException {
        play(AlertRules.plain());
        assertThat(promtool(
                        "check",
                        "rules",
                        "--lint=all",
                        "--lint-fatal",
                        folder.resolve("rules.yaml").toString()))
                .contains(AlertRules.all().size() + " rules found");
    }

    /** What the cases are worth. */
    @Test
    void aRuleThatIsWrongIsFound() throws IOException {
        String rules = AlertRules.plain();
        for (String[] change : new String[][] {
            {"state=\\\"degraded\\\"", "state=\\\"ready\\\""},
            {"> 2", "> 0"},
            {"for: \"1h\"", "for: \"10m\""},
            {"by (fabric, device)", "by (fabric)"}
        }) {
            String wrong = rules.replace(change[0], change[1]);
            assertThat(wrong).as(change[0]).isNotEqualTo(rules);
            assertThatThrownBy(() -> play(wrong)).as(change[0]).isInstanceOf(AssertionError.class);
        }
    }
}
