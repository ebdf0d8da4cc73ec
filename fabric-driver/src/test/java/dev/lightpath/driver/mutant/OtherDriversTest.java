package dev.lightpath.driver.mutant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.lightpath.conformance.ConformanceRun;
import dev.lightpath.conformance.EmulatorFaults;
import dev.lightpath.conformance.Requirements;
import dev.lightpath.conformance.bench.Terms;
import dev.lightpath.conformance.report.Finding;
import dev.lightpath.conformance.report.Report;
import dev.lightpath.conformance.report.TextReport;
import dev.lightpath.conformance.report.Verdict;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.driver.EmulatedConformance;
import dev.lightpath.driver.EmulatedPlant;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The kit accuses no driver of what the contract leaves open, and leaves out no more than it has to. */
@Order(1)
final class OtherDriversTest {
    @TempDir
    private Path directory;

    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    Stream<DynamicTest> noneIsAccused() {
        return Stream.of(
                        OtherDrivers.all(), SmallBatches.all(), TimedDrivers.all(), OtherStreams.all(), OtherEnds.all())
                .flatMap(List::stream)
                .map(other -> dynamicTest("a driver that " + other.driver(), () -> assertConforming(other)));
    }

    private void assertConforming(OtherDriver other) throws Exception {
        Report report = judged(other);
        assertThat(report.isConforming()).as(TextReport.of(report)).isTrue();
        assertThat(report.findings().stream()
                        .filter(f -> f.verdict() instanceof Verdict.Skipped)
                        .map(Finding::requirement)
                        .map(Requirement::name))
                .as(TextReport.of(report))
                .containsExactlyInAnyOrderElementsOf(other.notJudged());
    }

    private Report judged(OtherDriver other) throws Exception {
        List<Requirement> requirements = Requirements.all().stream()
                .filter(r ->
                        other.judged().contains(r.name()) || other.notJudged().contains(r.name()))
                .toList();
        assertThat(requirements)
                .hasSize(other.judged().size() + other.notJudged().size());
        Path state = Files.createTempDirectory(directory, "state");
        try (EmulatedPlant plant = new EmulatedPlant(state);
                EmulatorFaults faults = EmulatedConformance.faults(plant, other.device(), other.usualMoveMillis())) {
            MutantServer[] server = {new MutantServer(other.driver(), plant.driverPort(), false)};
            try {
                Terms terms = EmulatedConformance.terms(
                        other.device(),
                        other.patience(),
                        100,
                        90,
                        () -> {
                            server[0].close();
                            plant.restartDriver();
                            server[0] = new MutantServer(other.driver(), plant.driverPort(), true);
                        },
                        faults);
                return ConformanceRun.run(
                        "other", EmulatedConformance.endpoint(() -> server[0].port()), terms, requirements);
            } finally {
                server[0].close();
            }
        }
    }
}
