package dev.lightpath.cli.polarfly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.cli.TestRun;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolarFlyCommandTest {

    @Test
    void buildsTheGraphOfOrder31() {
        JsonNode json =
                TestRun.of("polarfly", "build", "--order", "31", "-o", "json").json();
        assertThat(json.get("vertices").asInt()).isEqualTo(993);
        assertThat(json.get("edges").asInt()).isEqualTo(15872);
        assertThat(json.get("diameter").asInt()).isEqualTo(2);
        assertThat(json.get("quadrics").asInt()).isEqualTo(32);
        assertThat(json.get("triangles").asInt()).isEqualTo(4960);
        assertThat(json.get("mooreEfficiency").asDouble()).isCloseTo(.9688, within(5e-5));
        assertThat(json.has("edgeList")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"any-to-any", "two-sided"})
    void circuitsAreTheEdgesOfBuild(String device) {
        Set<String> edges = new HashSet<>();
        TestRun.of("polarfly", "build", "--order", "7", "--edges", "-o", "json")
                .json()
                .get("edgeList")
                .forEach(e -> edges.add(e.get(0).asInt() + "-" + e.get(1).asInt()));
        Set<String> lit = new HashSet<>();
        JsonNode planes = TestRun.of("polarfly", "circuits", "--order", "7", "--device", device, "-o", "json")
                .json()
                .get("planes");
        assertThat(planes).hasSize(device.equals("two-sided") ? 4 : 8);
        for (JsonNode plane : planes) {
            plane.get("circuits")
                    .forEach(c -> lit.add(Math.min(c.get(0).asInt(), c.get(1).asInt()) + "-"
                            + Math.max(c.get(0).asInt(), c.get(1).asInt())));
        }
        assertThat(lit).isEqualTo(edges);
    }

    @Test
    void growsWithoutMoving() {
        JsonNode json = TestRun.of(
                        "polarfly",
                        "expand",
                        "--order",
                        "31",
                        "--copies",
                        "12",
                        "--method",
                        "non-quadric",
                        "-o",
                        "json")
                .json();
        assertThat(json.get("vertices").asInt()).isEqualTo(1365);
        assertThat(json.get("maxDegree").asInt()).isEqualTo(45);
        assertThat(json.get("diameter").asInt()).isEqualTo(3);
        assertThat(json.get("movedCircuits").asInt()).isZero();
    }

    @Test
    void laysOutRacks() {
        JsonNode json =
                TestRun.of("polarfly", "layout", "--order", "7", "-o", "json").json();
        assertThat(json.get("clusters")).hasSize(8);
        assertThat(json.get("links").get(0).toString()).isEqualTo("{\"clusters\":[0,1],\"links\":8}");
    }

    @Test
    void routesUniformTrafficAtFullInjection() {
        JsonNode json = TestRun.of("polarfly", "route", "--order", "31", "--pattern", "uniform", "-o", "json")
                .json();
        assertThat(json.get("throughput").asDouble()).isCloseTo(1, within(1e-9));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "build --order 6 | order 6 is no prime power",
                "build --order 1 | a prime power from 2 to 256",
                "expand --order 4 --copies 1 --method non-quadric | --method: order 4 is even",
                "expand --order 5 --copies 6 --method non-quadric | at most 5",
                "expand --order 7 --copies 1000000 | have more than 5000000 links",
                "build --order x | --order x: a whole number is wanted",
                "route --order 5 --pattern tornado | uniform or permutation",
                "circuits --order 5 --device one-way | two-sided or any-to-any",
                "circuits --order 5 --device any-to-any --radix 1 | at least 2"
            })
    void refusesBadInputInOneLine(String arguments, String message) {
        TestRun run = TestRun.of(("polarfly " + arguments).split(" "));
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains(message).hasLineCount(1);
        assertThat(run.out()).isEmpty();
    }
}
