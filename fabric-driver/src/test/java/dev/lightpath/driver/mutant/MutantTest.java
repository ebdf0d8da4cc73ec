package dev.lightpath.driver.mutant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.lightpath.conformance.ConformanceRun;
import dev.lightpath.conformance.EmulatorFaults;
import dev.lightpath.conformance.bench.Terms;
import dev.lightpath.conformance.report.Finding;
import dev.lightpath.conformance.report.Report;
import dev.lightpath.conformance.report.TextReport;
import dev.lightpath.conformance.report.Verdict;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.conformance.requirement.Requirements;
import dev.lightpath.driver.EmulatedPlant;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.services.ProtoReflectionService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The kit finds every planted bug by the requirement that forbids it, and finds nothing where nothing is planted. */
final class MutantTest {
    private static final String DEVICE = "ocs-1";
    private static final double USUAL_MOVE_MILLIS = 15;

    @TempDir
    private Path directory;

    /** A mutant in front of a driver in front of an emulator, and a way to restart the first two. */
    private static final class MutantPlant implements AutoCloseable {
        private final Mutant mutant;
        private final EmulatedPlant plant;
        private MutantServer server;

        MutantPlant(Mutant mutant, Path state) throws Exception {
            this.mutant = mutant;
            this.plant = new EmulatedPlant(state);
            this.server = new MutantServer(mutant, plant.driverPort(), false);
        }

        void restart() throws IOException {
            server.close();
            plant.restartDriver();
            server = new MutantServer(mutant, plant.driverPort(), true);
        }

        Report judged(List<Requirement> requirements, Duration patience) {
            try (EmulatorFaults faults = new EmulatorFaults(
                    NettyChannelBuilder.forAddress("127.0.0.1", plant.emulatorPort())
                            .usePlaintext()
                            .build(),
                    DEVICE,
                    USUAL_MOVE_MILLIS)) {
                Terms terms = new Terms(
                        DEVICE,
                        "lightpath-conformance",
                        List.of(),
                        Optional.empty(),
                        false,
                        patience,
                        Duration.ofSeconds(60),
                        100,
                        90,
                        Optional.of(this::restart),
                        Optional.of(faults));
                return ConformanceRun.run(
                        "mutant",
                        window -> NettyChannelBuilder.forAddress("127.0.0.1", server.port())
                                .usePlaintext()
                                .build(),
                        terms,
                        requirements);
            }
        }

        @Override
        public void close() {
            server.close();
            plant.close();
        }
    }

    @TestFactory
    Stream<DynamicTest> everyPlantedBugIsFound() {
        return Stream.of(
                        FencingMutants.all(),
                        RepetitionMutants.all(),
                        OperationMutants.all(),
                        ConfirmationMutants.all(),
                        CircuitMutants.all(),
                        RequestMutants.all(),
                        AccountMutants.all(),
                        StreamMutants.all(),
                        NewsMutants.all())
                .flatMap(List::stream)
                .map(mutant -> dynamicTest("a driver that " + mutant, () -> assertFound(mutant)));
    }

    private void assertFound(Mutant mutant) throws Exception {
        List<Requirement> named = Requirements.all().stream()
                .filter(r -> r.name().equals(mutant.requirement()))
                .toList();
        assertThat(named).as(mutant.requirement()).hasSize(1);
        try (MutantPlant plant = new MutantPlant(mutant, Files.createTempDirectory(directory, "state"))) {
            Finding finding =
                    plant.judged(named, Duration.ofSeconds(2)).findings().getFirst();
            assertThat(finding.verdict()).isInstanceOf(Verdict.Failed.class);
        }
    }

    @Test
    void reflectionOfTheOlderVersionWillDo() throws Exception {
        Mutant older = new Mutant("offers grpc.reflection.v1alpha alone", "identity/reflection") {
            @Override
            @SuppressWarnings("deprecation")
            List<ServerServiceDefinition> standardServices() {
                return List.of(ProtoReflectionService.newInstance().bindService());
            }
        };
        List<Requirement> reflection = Requirements.all().stream()
                .filter(r -> r.name().equals(older.requirement()))
                .toList();
        try (MutantPlant plant = new MutantPlant(older, directory.resolve("older"))) {
            Report report = plant.judged(reflection, Duration.ofSeconds(20));
            assertThat(report.isConforming()).as(TextReport.of(report)).isTrue();
        }
    }

    @Test
    void nothingIsFoundWhereNothingIsPlanted() throws Exception {
        Mutant honest = new Mutant("has no bug", "") {};
        List<Requirement> all = Requirements.all().stream()
                .filter(r -> !r.name().equals("stream/slow-client"))
                .toList();
        try (MutantPlant plant = new MutantPlant(honest, directory.resolve("honest"))) {
            Report report = plant.judged(all, Duration.ofSeconds(20));
            assertThat(report.isConforming()).as(TextReport.of(report)).isTrue();
            assertThat(report.skipped()).as(TextReport.of(report)).isEqualTo(1);
        }
    }
}
