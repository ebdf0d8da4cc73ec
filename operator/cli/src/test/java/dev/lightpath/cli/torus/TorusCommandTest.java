package dev.lightpath.cli.torus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.cli.TestRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TorusCommandTest {

    @Test
    void evaluatesTheReferencePattern() {
        TestRun run = TestRun.of("torus", "evaluate", "--chips", "4x4x8", "--twist", "0,1,0,1,1,1", "-o", "json");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.json().get("averageDistance").asDouble()).isCloseTo(3.360352, within(1e-6));
        assertThat(run.json().get("maxLinkLoad").asDouble()).isCloseTo(94.340, within(5e-4));
        assertThat(run.json().get("allToAllGain").asDouble()).isCloseTo(1.3568, within(5e-5));
        assertThat(run.json().get("diameter").asInt()).isEqualTo(6);
        assertThat(run.json().get("bisection").asInt()).isPositive();
    }

    @Test
    void ranksAllPatternsBestFirst() {
        JsonNode patterns = TestRun.of("torus", "choose", "--chips", "4x4x8", "--all", "-o", "json")
                .json()
                .get("patterns");
        assertThat(patterns).hasSize(64);
        assertThat(patterns.get(0).get("allToAllGain").asDouble()).isCloseTo(1.7455, within(5e-5));
        double before = 0;
        for (JsonNode pattern : patterns) {
            assertThat(pattern.get("maxLinkLoad").asDouble()).isGreaterThanOrEqualTo(before - 1e-9);
            before = pattern.get("maxLinkLoad").asDouble();
        }
    }

    @Test
    void printsFortyEightSwitchMaps() {
        JsonNode switches = TestRun.of(
                        "torus",
                        "circuits",
                        "--cubes",
                        "1x1x2",
                        "--placement",
                        "0,3",
                        "--shift",
                        "0,4,0,4,0,0",
                        "-o",
                        "json")
                .json()
                .get("switches");
        assertThat(switches).hasSize(48);
        assertThat(switches.get(0).toString()).isEqualTo("{\"switch\":0,\"circuits\":[[0,3],[3,0]]}");
        assertThat(switches.get(47).toString()).isEqualTo("{\"switch\":47,\"circuits\":[[0,3],[3,0]]}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "choose --chips 4x4x6 ~ z is 6 chips",
                "choose --chips 4x4x6 --all ~ z is 6 chips",
                "choose --chips 64x64x64 ~ at most 512 are searched",
                "choose --chips 64x64x64 --all ~ at most 512 are searched",
                "evaluate --chips 4x6x8 ~ y is 6 chips",
                "evaluate --chips 4x4x8 --shift 0,9,0,0,0,0 ~ x|z is 9 chips, allowed 0 to 7",
                "evaluate --chips 4x4x8 --shift 0,0,-4,0,0,0 ~ y|x is -4 chips, allowed 0 to 3",
                "circuits --cubes 1x1x2 --shift 0,8,0,0,0,0 ~ x|z is 8 chips, allowed 0 to 7",
                "circuits --cubes 5x5x5 ~ are 125 cubes, the fabric has 64",
                "circuits --cubes 1x1x2 --total-cubes 0 ~ allowed 1 to 65536",
                "evaluate --chips 4x4 ~ write three sizes like 4x4x8",
                "evaluate --chips 4x4x8 --twist 1,0 ~ 2 numbers, six are wanted",
                "evaluate --chips 4x4x8 --twist 1,0,2,0,0,0 ~ 2 is not allowed",
                "circuits --cubes 1x1x2 --shift 0,2,0,0,0,0 ~ a multiple of 4",
                "circuits --cubes 1x1x2 --placement 3,3 ~ names a cube twice",
                "circuits --cubes 1x1x2 --placement 0,64 ~ allowed 0 to 63",
                "choose --chips 4x4x8 --objective speed ~ max-link-load, average-distance or data-tensor"
            })
    void refusesBadInputInOneLine(String arguments, String message) {
        TestRun run = TestRun.of(("torus " + arguments).split(" "));
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains(message).hasLineCount(1);
        assertThat(run.out()).isEmpty();
    }
}
