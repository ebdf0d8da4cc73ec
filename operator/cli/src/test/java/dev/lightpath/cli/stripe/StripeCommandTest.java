package dev.lightpath.cli.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.cli.TestRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StripeCommandTest {

    @TempDir
    private Path folder;

    @Test
    void anAnswerServesAsPrevious() throws IOException {
        TestRun first = stripe("""
                {"switches": 2, "portsPerPodPerSwitch": 1, "device": "two-sided",
                 "topology": [[0,1,1],[1,0,1],[1,1,0]]}""");
        assertThat(first.exitCode()).as(first.err()).isZero();
        JsonNode json = first.json();
        assertThat(json.get("moved").asInt()).isEqualTo(6);
        assertThat(json.get("lowerBound").asInt()).isEqualTo(6);
        assertThat(json.get("switches").get(1).get("switch").asInt()).isEqualTo(1);
        assertThat(json.get("switches").get(0).get("circuits").get(0).get(0).isTextual())
                .isTrue();

        TestRun second = stripe("""
                {"switches": 2, "portsPerPodPerSwitch": 1, "device": "two-sided",
                 "topology": [[0,1,1],[1,0,1],[1,0,0]], "unusablePorts": [], "previous": %s}""".formatted(first.out()));
        assertThat(second.exitCode()).as(second.err()).isZero();
        assertThat(second.json().get("moved").asInt()).isZero();
        assertThat(second.json().get("kept").asInt()).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"switch\":0,\"port\":\"1\"}",
                "{\"switch\":0,\"ports\":[\"1\"]}",
                "{\"switch\":0,\"port\":1,\"side\":\"egress\"}",
                "[0,1]"
            })
    void leavesUnusablePortsDark(String unusable) throws IOException {
        TestRun run = stripe("""
                {"switches": 2, "portsPerPodPerSwitch": 1, "device": "two-sided",
                 "topology": [[0,1],[0,0]], "unusablePorts": [%s]}""".formatted(unusable));
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.json().get("switches").get(0).get("circuits")).isEmpty();
        assertThat(run.json().get("switches").get(1).get("circuits")).hasSize(1);
    }

    @Test
    void saysWhyATriangleDoesNotFitOddPorts() throws IOException {
        TestRun run = stripe("""
                {"switches": 2, "portsPerPodPerSwitch": 1, "device": "any-to-any",
                 "topology": [[0,1,1],[1,0,1],[1,1,0]]}""");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).hasLineCount(1);
        assertThat(run.json().get("infeasible").asText()).startsWith("pods 0, 1, 2 want 3 circuits among them");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"portsPerPodPerSwitch\":1,\"device\":\"two-sided\",\"topology\":[[0]]} | switches is missing",
                "{\"switches\":1,\"portsPerPodPerSwitch\":1,\"device\":\"one\",\"topology\":[[0]]} | device is two-sided or any-to-any",
                "{\"switches\":1,\"portsPerPodPerSwitch\":1,\"device\":\"two-sided\",\"topology\":[[0,1]]} | must be square",
                "{\"switches\":1,\"portsPerPodPerSwitch\":1,\"device\":\"two-sided\",\"topology\":[[0,1.5],[1,0]]} | topology[0][1] is 1.5",
                "{\"switches\":1,\"portsPerPodPerSwitch\":1,\"device\":\"two-sided\",\"topology\":[[0]],\"unusablePorts\":[[0,9]]} | names port 9 of switch 0: allowed 0 to 0",
                "{\"switches\":1,\"portsPerPodPerSwitch\":1,\"device\":\"two-sided\",\"topology\":[[0]],\"prev\":1} | prev is no field"
            })
    void refusesBadInputByFileAndField(String document, String message) throws IOException {
        TestRun run = stripe(document);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("wish.json").contains(message).hasLineCount(1);
    }

    private TestRun stripe(String document) throws IOException {
        Path file = Files.writeString(folder.resolve("wish.json"), document);
        return TestRun.of("stripe", "--input", file.toString(), "-o", "json");
    }
}
