package dev.lightpath.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.cli.TestRun;
import org.junit.jupiter.api.Test;

class LightpathSoakTest {

    @Test
    void isTheWholeCommandLine() {
        assertThat(run(
                                "ring",
                                "bundles",
                                "--nodes",
                                "4",
                                "--gpus-per-node",
                                "4",
                                "--reach",
                                "2",
                                "--shape",
                                "line",
                                "--groups",
                                "0,1")
                        .exitCode())
                .isZero();
        assertThat(run("study", "--help").out()).contains("live", "--plot");
        assertThat(run("--help").out()).contains("status", "study").doesNotContain("Besides:");
    }

    @Test
    void refusesInOneLine() {
        TestRun none = run("study", "nothing-of-this-name");
        assertThat(none.exitCode()).isEqualTo(2);
        assertThat(none.err()).contains("nothing-of-this-name").hasLineCount(1);
    }

    private static TestRun run(String... arguments) {
        return TestRun.of(LightpathSoak.commandLine(), arguments);
    }
}
