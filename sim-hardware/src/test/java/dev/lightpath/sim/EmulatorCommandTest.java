package dev.lightpath.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.sim.scenario.Scenario;
import dev.lightpath.sim.scenario.ScenarioException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the process listens that a scenario file starts. */
class EmulatorCommandTest {
    private static final String DEVICES = "devices: [{id: s, kind: switch, ports: 4}]\n";

    @TempDir
    private Path directory;

    private Scenario scenario(String fields) throws IOException {
        Path file = Files.writeString(directory.resolve("own.yaml"), fields + "\n" + DEVICES);
        return EmulatorCommand.scenario(file.toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|127.0.0.1:9450|127.0.0.1:9451",
                "'listen: 0.0.0.0:7000'|0.0.0.0:7000|0.0.0.0:9451",
                "'http: 127.0.0.1:0'|127.0.0.1:9450|127.0.0.1:0"
            })
    void healthIsServedAtAPortThatIsKnown(String fields, String listen, String http) throws Exception {
        Scenario scenario = scenario(fields);
        assertThat(scenario.listen()).hasToString(listen);
        assertThat(scenario.http()).hasToString(http);
    }

    @Test
    void noneServesNoHttp() throws Exception {
        assertThat(scenario("http: none").http()).isNull();
    }

    @Test
    void theBuiltInScenarioHasPortsOfItsOwn() {
        assertThat(EmulatorCommand.scenario("ring-64").http()).hasToString("127.0.0.1:9451");
    }

    /** As that of a second emulator on one host. */
    @Test
    void aPortThatIsTakenIsOneLine() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Scenario scenario = scenario("listen: 127.0.0.1:0\nhttp: 127.0.0.1:" + taken.getLocalPort());
            assertThatThrownBy(() -> Emulator.start(scenario))
                    .isInstanceOf(ScenarioException.class)
                    .hasMessageMatching("http: cannot listen at 127.0.0.1:" + taken.getLocalPort()
                            + ": .*; another port, or 'http: none', is needed");
        }
    }
}
