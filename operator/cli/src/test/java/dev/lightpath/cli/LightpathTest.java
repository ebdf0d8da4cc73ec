package dev.lightpath.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class LightpathTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void refusesAnUnknownOptionInOneLine() {
        assertThat(run("status", "--colour")).isEqualTo(2);
        assertThat(err.toString()).contains("--colour").hasLineCount(1);
    }

    @Test
    void namesTheCommandsThereAreWhenOneIsMissingOrMistyped() {
        assertThat(run("rign")).isEqualTo(2);
        assertThat(run("ring")).isEqualTo(2);
        assertThat(run("ring", "plaice")).isEqualTo(2);
        assertThat(err.toString().lines())
                .satisfiesExactly(
                        first -> assertThat(first)
                                .startsWith("lightpath: there is no command 'rign'; lightpath has ")
                                .contains("ring"),
                        second -> assertThat(second)
                                .isEqualTo("lightpath: which command? lightpath ring has bundles, place, repair"),
                        third -> assertThat(third).contains("'plaice'").contains("place"));
    }

    private int run(String... arguments) {
        CommandLine command = Lightpath.commandLine();
        command.setOut(new PrintWriter(out));
        command.setErr(new PrintWriter(err));
        return command.execute(arguments);
    }
}
