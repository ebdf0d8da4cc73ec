package dev.lightpath.studies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.cli.TestRun;
import org.junit.jupiter.api.Test;

class StudyCommandTest {
    private static TestRun run(String... arguments) {
        return TestRun.of(LightpathStudies.commandLine(), arguments);
    }

    @Test
    void namesTheStudies() {
        TestRun run = run("study", "list");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(Studies.all())
                .isNotEmpty()
                .allSatisfy(study -> assertThat(run.out()).contains(study.name()));
    }

    @Test
    void namesAnUnknownStudyInOneLine() {
        TestRun run = run("study", "nothing-of-the-kind");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("lightpath: no study 'nothing-of-the-kind'")
                .hasLineCount(1);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void refusesOptionsThatDoNotFitInOneLine() {
        String[][] cases = {
            {"study list --colour", "--colour"},
            {"study list --plot x.svg", "--plot: 'study list'"},
            {"study cost --plot x.png", "--plot 'x.png': the name of an .svg file"},
            {"study cost --plot nowhere/x.svg", "there is no folder"},
            {"study cost --trace trace.json", "the study cost plays no trace"},
        };
        for (String[] bad : cases) {
            TestRun run = run(bad[0].split(" "));
            assertThat(run.exitCode()).as(bad[0]).isEqualTo(2);
            assertThat(run.err()).as(bad[0]).contains(bad[1]).hasLineCount(1);
            assertThat(run.out()).isEmpty();
        }
    }
}
