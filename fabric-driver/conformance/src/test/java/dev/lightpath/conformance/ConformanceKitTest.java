package dev.lightpath.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.conformance.requirement.Requirement;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

final class ConformanceKitTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int kit(String... arguments) {
        return ConformanceKit.commandLine(new PrintWriter(out), new PrintWriter(err))
                .execute(arguments);
    }

    private void assertOneLine(String line, String... arguments) {
        assertThat(kit(arguments)).isEqualTo(2);
        assertThat(err.toString()).hasLineCount(1).contains(line);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void namesWhatIsMissing() {
        assertOneLine("--endpoint is missing", "--device", "d");
    }

    @Test
    void namesTheDeviceThatIsMissing() {
        assertOneLine("--device is missing", "--endpoint", "localhost:9440");
    }

    @Test
    void refusesAnEndpointWithoutAPort() {
        assertOneLine("--endpoint: 'localhost' is not host:port", "--endpoint", "localhost", "--device", "d");
    }

    @Test
    void refusesAPatternThatMatchesNothing() {
        assertOneLine(
                "no requirement is named 'ports/twise'", "--endpoint", "h:1", "--device", "d", "--only", "ports/twise");
    }

    @Test
    void refusesToJudgeNothing() {
        assertOneLine(
                "leave no requirement", "--endpoint", "h:1", "--device", "d", "--only", "crash", "--skip", "crash/*");
    }

    @Test
    void refusesHalfACertificate() {
        assertOneLine(
                "--tls-certificate and --tls-key go together",
                "--endpoint",
                "h:1",
                "--device",
                "d",
                "--tls-key",
                "some.key");
    }

    @Test
    void refusesAnUnknownOption() {
        assertOneLine("--devise", "--devise", "d");
    }

    @Test
    void refusesTwoWaysToHurtTheDevice() {
        assertOneLine(
                "exclude each other",
                "--endpoint",
                "h:1",
                "--device",
                "d",
                "--emulator",
                "h:2",
                "--fault-command",
                "true");
    }

    @Test
    void refusesChangesThatCannotOverrunTheBuffer() {
        assertOneLine(
                "--slow-client-changes 12000 cannot overrun --watch-buffer 20000",
                "--endpoint",
                "h:1",
                "--device",
                "d",
                "--watch-buffer",
                "20000",
                "--slow-client-changes",
                "12000");
    }

    @Test
    void makesMoreChangesForALargerBuffer() {
        assertOneLine(
                "the driver cannot be used", "--endpoint", "127.0.0.1:1", "--device", "d", "--watch-buffer", "20000");
    }

    @Test
    void listsEveryRequirementWithItsSection() {
        assertThat(kit("--list")).isZero();
        for (Requirement requirement : Requirements.all()) {
            assertThat(out.toString()).contains(requirement.name(), "[" + requirement.section() + "]");
        }
    }

    @Test
    void everyRequirementHasANameOfItsOwn() {
        assertThat(Requirements.all())
                .extracting(Requirement::name)
                .doesNotHaveDuplicates()
                .allMatch(n -> n.matches("[a-z-]+/[a-z-]+"));
    }
}
