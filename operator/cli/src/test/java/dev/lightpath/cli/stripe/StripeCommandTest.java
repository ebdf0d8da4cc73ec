package dev.lightpath.cli.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.cli.TestRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
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
    void printsStagesThatNeverDarkenMoreThanAllowed() throws IOException {
        TestRun first = stripe("""
                {"switches": 4, "portsPerPodPerSwitch": 1, "device": "two-sided",
                 "topology": [[0,2,1,1],[1,0,2,1],[1,1,0,2],[2,1,1,0]]}""");
        Path file = Files.writeString(folder.resolve("change.json"), """
                {"switches": 4, "portsPerPodPerSwitch": 1, "device": "two-sided",
                 "topology": [[0,1,1,2],[2,0,1,1],[1,2,0,1],[1,1,2,0]], "previous": %s}""".formatted(first.out()));
        TestRun change = TestRun.of("stripe", "--input", file.toString(), "--most-dark", "3", "-o", "json");
        assertThat(change.exitCode()).as(change.err()).isZero();
        Set<String> lit = lit(first.json());
        for (JsonNode stage : change.json().get("stages")) {
            assertThat(stage.get("dark").asInt()).isLessThanOrEqualTo(3);
            stage.get("disconnect")
                    .forEach(of -> assertThat(lit.remove(of.toString())).isTrue());
            stage.get("connect").forEach(of -> lit.add(of.toString()));
            assertThat(lit.stream().map(of -> of.substring(0, of.lastIndexOf(','))))
                    .as("inputs")
                    .doesNotHaveDuplicates();
        }
        assertThat(lit).isEqualTo(lit(change.json()));

        TestRun again = TestRun.of("stripe", "--input", file.toString(), "--most-dark", "0");
        assertThat(again.exitCode()).isEqualTo(2);
        assertThat(again.err()).contains("--most-dark 0: 1 or more").hasLineCount(1);
    }

    private static Set<String> lit(JsonNode answer) {
        Set<String> lit = new HashSet<>();
        answer.get("switches")
                .forEach(of -> of.get("circuits")
                        .forEach(circuit ->
                                lit.add("{\"switch\":" + of.get("switch") + ",\"circuit\":" + circuit + "}")));
        return lit;
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
                "{\"switches\":1,\"portsPerPodPerSwitch\":1,\"device\":\"two-sided\",\"topology\":[[0]],\"prev\":1} | prev is no field",
                "{\"switches\":1,\"portsPerPodPerSwitch\":1,\"device\":7,\"topology\":[[0]]} | device is 7: two-sided or any-to-any",
                "{\"switches\":1,\"portsPerPodPerSwitch\":1,\"device\":\"two-sided\",\"topology\":[[0]],\"unusablePorts\":[{\"switch\":0,\"port\":0,\"sid\":\"in\"}]} | unusablePorts[0].sid is no field",
                "{\"switches\":1,\"portsPerPodPerSwitch\":1,\"device\":\"two-sided\",\"topology\":[[0]],\"previous\":{\"switches\":[],\"move\":1}} | previous.move is no field",
                "{\"switches\":1,\"portsPerPodPerSwitch\":1,\"device\":\"two-sided\",\"topology\":[[0]],\"previous\":{\"switches\":[{\"switch\":0,\"circuits\":[],\"x\":1}]}} | previous.switches[0].x is no field",
                "{\"switches\":2,\"portsPerPodPerSwitch\":1000000,\"device\":\"two-sided\",\"topology\":[[0]]} | at most 1048576 ports"
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
