package dev.lightpath.benchmarks.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.benchmarks.Arguments;
import dev.lightpath.benchmarks.life.Soak;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments.ArgumentSet;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class ArgumentsTest {
    private static Stream<ArgumentSet> wrong() {
        return Stream.of(
                wrong(new Speed(), "root", "programs", "--sizes"),
                wrong(new Speed(), "root", "programs", "--sizes", "1000,7"),
                wrong(new Speed(), "root", "programs", "--sizes", "64", "--searches"),
                wrong(new Speed(), "root", "programs", "--port-base", "high"),
                wrong(new Speed(), "root", "programs", "--no-such-option"),
                wrong(new Soak(), "root", "programs", "--hours"),
                wrong(new Soak(), "root", "programs", "--turnovers", "1.5"),
                wrong(new SwitchChanges.Wish(), "root"),
                wrong(new SwitchChanges.Wish(), "root", "telex"),
                wrong(new SwitchChanges.Wish(), "root", "tl1", "many"),
                wrong(new SwitchAlarms.Wish(), "root", "tl1", "100", "more"));
    }

    private static ArgumentSet wrong(Callable<Integer> program, String... given) {
        return org.junit.jupiter.params.provider.Arguments.argumentSet(
                program.getClass().getName() + " " + String.join(" ", given), program, List.of(given));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void badInputIsRefusedInOneLine(Callable<Integer> program, List<String> given) {
        StringWriter told = new StringWriter();
        int status =
                Arguments.command(program).setErr(new PrintWriter(told, true)).execute(given.toArray(String[]::new));
        assertThat(status).isEqualTo(2);
        assertThat(told.toString().strip()).hasLineCount(1).containsPattern("^[a-z ]+: \\S");
    }

    @Test
    void eachSizeAndEachOptionOfTheJvmIsRead() {
        CommandLine command = Arguments.command(new Speed());
        var unused = command.parseArgs("root", "programs", "--sizes", "64,both", "--java", "-Xint", "--java", "-Xmx1g");
        List<Size> sizes = command.getCommandSpec().findOption("--sizes").getValue();
        assertThat(sizes).extracting(Size::name).containsExactly("64", "both");
        List<String> options = command.getCommandSpec().findOption("--java").getValue();
        assertThat(options).containsExactly("-Xint", "-Xmx1g");
    }
}
