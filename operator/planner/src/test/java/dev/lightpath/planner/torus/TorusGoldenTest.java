package dev.lightpath.planner.torus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TorusGoldenTest {

    private static final Pattern ROW = Pattern.compile(
            "row +\\(\\[(\\d),(\\d)],\\[(\\d),(\\d)],\\[(\\d),(\\d)]\\) avg=([0-9.]+) diam=(\\d+) cayley=(\\d) ocs=(\\d) ecmpload=([0-9.]+) rel_thr=([0-9.]+).*");

    @Test
    void allPatternsOf4x4x8AgreeWithTheReference() throws IOException {
        Shape shape = new Shape(4, 4, 8);
        double regular = TwistedTorus.metrics(shape, Twist.NONE).maxLinkLoad();
        List<String> lines;
        try (InputStream in =
                Objects.requireNonNull(TorusGoldenTest.class.getResourceAsStream("/golden/topology/torus-4x4x8.txt"))) {
            lines = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
        assertThat(lines).hasSize(64);
        for (String line : lines) {
            Matcher row = ROW.matcher(line);
            assertThat(row.matches()).as(line).isTrue();
            int pattern = 0;
            for (int bit = 1; bit <= 6; bit++) {
                pattern = 2 * pattern + Integer.parseInt(row.group(bit));
            }
            Twist twist = Twist.half(shape, pattern);
            TorusMetrics metrics = TwistedTorus.metrics(shape, twist);
            assertThat(metrics.averageDistance()).as(line).isCloseTo(Double.parseDouble(row.group(7)), within(1e-6));
            assertThat(metrics.diameter()).as(line).isEqualTo(Integer.parseInt(row.group(8)));
            assertThat(metrics.orbits() == 1 ? "1" : "0").as(line).isEqualTo(row.group(9));
            assertThat(metrics.maxLinkLoad()).as(line).isCloseTo(Double.parseDouble(row.group(11)), within(6e-4));
            assertThat(regular / metrics.maxLinkLoad())
                    .as(line)
                    .isCloseTo(Double.parseDouble(row.group(12)), within(6e-5));
            boolean realisable = twist.xy() == 0 && twist.yx() == 0 && twist.zx() == 0 && twist.zy() == 0;
            assertThat(realisable ? "1" : "0").as(line).isEqualTo(row.group(10));
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 4.0", "8, 3.625", "32, 3.9375", "4, 3.875"})
    void averageDistancesOf8x4x4AreThoseOfTableIII(int pattern, double expected) {
        Shape shape = new Shape(8, 4, 4);
        assertThat(TwistedTorus.metrics(shape, Twist.half(shape, pattern)).averageDistance())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "4x4x8, 1.7455",
        "4x8x8, 1.3913",
        "4x4x12, 2.2268",
        "4x4x16, 2.5273",
        "4x8x16, 1.8916",
        "8x8x16, 1.7220",
        "8x16x16, 1.3763"
    })
    void theBestRealisableTwistGainsWhatTheReferenceFound(String shape, double gain) {
        TorusPattern best = TorusChoice.realisable(Shape.parse(shape), TorusObjective.MAX_LINK_LOAD)
                .getFirst();
        assertThat(best.gain()).isCloseTo(gain, within(6e-5));
    }

    @ParameterizedTest
    @CsvSource({"1, 2.0", "2, 1.7455", "3, 1.4845", "4, 1.3913", "8, 1.0394"})
    void theBestSublatticeReachesTheReferenceThroughput(int cubes, double throughput) {
        double best = CubeArrangement.sublattices(cubes).stream()
                .mapToDouble(form -> CubeArrangement.sublattice(form).metrics().throughputPerVertex())
                .max()
                .orElseThrow();
        assertThat(best).isCloseTo(throughput, within(6e-5));
    }

    @ParameterizedTest
    @CsvSource({"4x2x2, 8", "8x4x4, 8"})
    void dataTensorTrafficChoosesTheTwistOfTableI(String shape, int pattern) {
        Shape chips = Shape.parse(shape);
        List<TorusPattern> ranked = TorusChoice.halfPatterns(chips, TorusObjective.DATA_TENSOR);
        double paper = TorusChoice.dataTensorLoad(chips, Twist.half(chips, pattern));
        assertThat(ranked.getFirst().objective()).isLessThanOrEqualTo(paper);
        assertThat(ranked).hasSize(4);
        assertThat(paper).isLessThanOrEqualTo(TorusChoice.dataTensorLoad(chips, Twist.NONE));
    }
}
