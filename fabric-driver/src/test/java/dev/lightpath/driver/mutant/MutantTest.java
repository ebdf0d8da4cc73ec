package dev.lightpath.driver.mutant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.lightpath.conformance.ConformanceRun;
import dev.lightpath.conformance.EmulatorFaults;
import dev.lightpath.conformance.Requirements;
import dev.lightpath.conformance.bench.Restart;
import dev.lightpath.conformance.bench.Terms;
import dev.lightpath.conformance.report.Report;
import dev.lightpath.conformance.report.TextReport;
import dev.lightpath.conformance.report.Verdict;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.conformance.requirement.stream.Steps;
import dev.lightpath.driver.EmulatedConformance;
import dev.lightpath.driver.EmulatedPlant;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.GetInventoryRequest;
import dev.lightpath.proto.driver.v1alpha1.GetInventoryResponse;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesResponse;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeRequest;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeResponse;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.services.ProtoReflectionService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The kit finds every planted bug by the requirement that forbids it, and finds nothing where nothing is planted.
 * Many tests run at once: each has an emulator and a driver of its own, and mostly waits.
 */
@Execution(ExecutionMode.CONCURRENT)
@Order(1)
final class MutantTest {
    private static final String DEVICE = "ocs-1";
    private static final double USUAL_MOVE_MILLIS = 15;
    private static final String NODE = "n1";
    private static final double USUAL_SELECTION_MILLIS = 0.07;
    private static final int SMALL_BUFFER = 32;
    private static final int MOST_AGAIN = 4;

    /** Their messages are more than the network holds, and more than the small buffer besides. */
    private static final int MANY_CHANGES = 1500;

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
            return judged(requirements, patience, 100, 90);
        }

        Report judged(List<Requirement> requirements, Duration patience, int changes, int watchBuffer) {
            return report(plant, () -> server.port(), this::restart, requirements, patience, changes, watchBuffer);
        }

        Report judgedOn(
                String device,
                double usualMoveMillis,
                List<String> scratchPorts,
                List<Requirement> requirements,
                Duration patience) {
            try (EmulatorFaults faults = EmulatedConformance.faults(plant, device, usualMoveMillis)) {
                Terms terms = EmulatedConformance.terms(device, scratchPorts, patience, this::restart, faults);
                return ConformanceRun.run(
                        "mutant", EmulatedConformance.endpoint(() -> server.port()), terms, requirements);
            }
        }

        @Override
        public void close() {
            server.close();
            plant.close();
        }
    }

    private static Report report(
            EmulatedPlant plant,
            IntSupplier port,
            Restart restart,
            List<Requirement> requirements,
            Duration patience,
            int changes,
            int watchBuffer) {
        try (EmulatorFaults faults = EmulatedConformance.faults(plant, DEVICE, USUAL_MOVE_MILLIS)) {
            Terms terms = EmulatedConformance.terms(DEVICE, patience, changes, watchBuffer, restart, faults);
            return ConformanceRun.run("mutant", EmulatedConformance.endpoint(port), terms, requirements);
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
                        NewsMutants.all(),
                        EpochMutants.all(),
                        PutBackMutants.all(),
                        StuckMutants.all(),
                        OrderMutants.all(),
                        ShownMutants.all(),
                        LossMutants.all(),
                        ToldMutants.all(),
                        LapsedMutants.all(),
                        NeighbourMutants.all(),
                        ConfinedMutants.all(),
                        CutMutants.all(),
                        RacingMutants.all(),
                        LateMutants.all(),
                        PolicyMutants.all(),
                        RestartMutants.all(),
                        AbortedMutants.all(),
                        SuccessorMutants.all(),
                        UnconfirmedMutants.all(),
                        UntoldMutants.all(),
                        NarrowMutants.all(),
                        BesideMutants.all(),
                        ContentMutants.all(),
                        ImpliedMutants.all(),
                        KeptBackMutants.all(),
                        AwaitedMutants.all(),
                        RefusalMutants.all(),
                        ManyMutants.all(),
                        BeginningMutants.all(),
                        KindMutants.all(),
                        EndedEarlyMutants.all(),
                        SecondRoleMutants.all())
                .flatMap(List::stream)
                .map(mutant -> dynamicTest("a driver that " + mutant, () -> assertFound(mutant)));
    }

    private static List<Requirement> named(String name) {
        List<Requirement> named =
                Requirements.all().stream().filter(r -> r.name().equals(name)).toList();
        assertThat(named).as(name).hasSize(1);
        return named;
    }

    private void assertFound(Mutant mutant) throws Exception {
        Verdict verdict = verdict(mutant);
        for (int again = 0; again < MOST_AGAIN && verdict instanceof Verdict.Skipped; again++) {
            verdict = verdict(mutant);
        }
        assertThat(verdict).as(verdict.toString()).isInstanceOf(Verdict.Failed.class);
    }

    /**
     * On a busy machine a change may be over before the kit comes to what it must do meanwhile: then it does not judge.
     */
    private Verdict verdict(Mutant mutant) throws Exception {
        try (MutantPlant plant = new MutantPlant(mutant, Files.createTempDirectory(directory, "state"))) {
            return plant.judged(named(mutant.requirement()), Duration.ofSeconds(2))
                    .findings()
                    .getFirst()
                    .verdict();
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
        try (MutantPlant plant = new MutantPlant(older, directory.resolve("older"))) {
            assertMet(plant.judged(named(older.requirement()), Duration.ofSeconds(20)));
        }
    }

    private static void assertMet(Report report) {
        assertThat(report.isConforming()).as(TextReport.of(report)).isTrue();
        assertThat(report.skipped()).as(TextReport.of(report)).isZero();
    }

    @Test
    void anEmptyLastPageWillDo() throws Exception {
        Mutant full = new Mutant("gives a token with every page that has something", "inventory/pages") {
            @Override
            ListDevicesResponse devices(ListDevicesRequest request, ListDevicesResponse answer) {
                return answer.getDevicesCount() > 0
                        ? answer.toBuilder()
                                .setNextPageToken(answer.getDevices(answer.getDevicesCount() - 1)
                                        .getDeviceId())
                                .build()
                        : answer;
            }

            @Override
            GetInventoryResponse inventory(GetInventoryRequest request, GetInventoryResponse answer) {
                return answer.getDevicesCount() > 0
                        ? answer.toBuilder()
                                .setNextPageToken(answer.getDevices(answer.getDevicesCount() - 1)
                                        .getDeviceId())
                                .build()
                        : answer;
            }
        };
        try (MutantPlant plant = new MutantPlant(full, directory.resolve("full"))) {
            assertMet(plant.judged(named(full.requirement()), Duration.ofSeconds(20)));
        }
    }

    /** What happens once is found at the end alone: the bug is not there when the requirement before looks. */
    @Test
    void whatIsForgottenInTheCourseOfARunIsFound() throws Exception {
        Mutant forgetful = new ShortMemory("remembers two hundred operations", "operations/remembered-to-the-end", 200);
        List<Requirement> run = Stream.of(
                        "circuits/items",
                        "operations/remembered-after-many",
                        "operations/remembered-after-many",
                        forgetful.requirement())
                .flatMap(name -> named(name).stream())
                .toList();
        try (MutantPlant plant = new MutantPlant(forgetful, directory.resolve("forgetful"))) {
            Report report = plant.judged(run, Duration.ofSeconds(20));
            assertThat(report.failed()).as(TextReport.of(report)).isEqualTo(1);
            assertThat(report.findings().getLast().verdict()).isInstanceOf(Verdict.Failed.class);
        }
    }

    /** Both are judged by the same terms: only what the driver keeps makes the difference. */
    @Test
    void aBufferIsFoundBoundedOrNot() throws Exception {
        List<Requirement> slowClient = named("stream/slow-client");
        try (EmulatedPlant bounded = new EmulatedPlant(directory.resolve("bounded"), SMALL_BUFFER)) {
            assertMet(report(
                    bounded,
                    bounded::driverPort,
                    bounded::restartDriver,
                    slowClient,
                    Duration.ofSeconds(20),
                    MANY_CHANGES,
                    SMALL_BUFFER));
        }
        Mutant keeper = new Mutant("keeps every message for a client that does not read", "stream/slow-client") {};
        try (MutantPlant unbounded = new MutantPlant(keeper, directory.resolve("unbounded"))) {
            Report report = unbounded.judged(slowClient, Duration.ofSeconds(20), MANY_CHANGES, SMALL_BUFFER);
            assertThat(report.findings().getFirst().verdict())
                    .as(TextReport.of(report))
                    .isInstanceOfSatisfying(
                            Verdict.Failed.class,
                            failed -> assertThat(failed.expected()).startsWith("a bounded buffer"));
        }
    }

    @Test
    void aRepetitionThatDoesNotWaitWillDo() throws Exception {
        Mutant prompt =
                new Mutant("answers the repetition of a running change as it stands", "operations/one-at-a-time") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        try {
                            var running = operation(GetOperationRequest.newBuilder()
                                            .setDeviceId(request.getDeviceId())
                                            .setRole(request.getFencing().getRole())
                                            .setOperationId(request.getOperationId())
                                            .build())
                                    .getOperation();
                            return running.getOutcome() == Outcome.OUTCOME_IN_PROGRESS
                                    ? ApplyCircuitsResponse.newBuilder()
                                            .setOperation(running)
                                            .setReplayed(true)
                                            .build()
                                    : super.apply(request);
                        } catch (StatusRuntimeException unknown) {
                            return super.apply(request);
                        }
                    }
                };
        List<Requirement> repeating = Stream.of("operations/one-at-a-time", "idempotency/while-it-runs")
                .flatMap(name -> named(name).stream())
                .toList();
        try (MutantPlant plant = new MutantPlant(prompt, directory.resolve("prompt"))) {
            assertMet(plant.judged(repeating, Duration.ofSeconds(20)));
        }
    }

    @Test
    void aTransferRefusedWithoutAReasonWillDo() throws Exception {
        Mutant silent = new Mutant("gives no reason for refusing a transfer", "roles/transfer-from-another") {
            @Override
            TransferScopeResponse transfer(TransferScopeRequest request) {
                try {
                    return super.transfer(request);
                } catch (StatusRuntimeException e) {
                    if (Answers.isFor(e, "FOREIGN_ROLE")) {
                        throw Status.FAILED_PRECONDITION.asRuntimeException();
                    }
                    throw e;
                }
            }
        };
        try (MutantPlant plant = new MutantPlant(silent, directory.resolve("silent"))) {
            assertMet(plant.judged(named(silent.requirement()), Duration.ofSeconds(20)));
        }
    }

    /** What needs two lanes is not skipped for want of a fourth. */
    @Test
    void sixPortsAreEnoughToSeeOneUsedBothWays() throws Exception {
        Mutant oneWay = new Mutant("takes a port that light leaves at for another than it enters at", "") {
            @Override
            ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                try {
                    return super.apply(request);
                } catch (StatusRuntimeException e) {
                    if (Answers.isFor(e, "PORT_USED_TWICE") || Answers.isFor(e, "PORT_IN_USE")) {
                        return Answers.applied(request);
                    }
                    throw e;
                }
            }
        };
        List<Requirement> bothWays = Stream.of("ports/both-ways-in-a-request", "ports/both-ways-in-use")
                .flatMap(name -> named(name).stream())
                .toList();
        List<String> six = List.of("1", "2", "3", "4", "5", "6");
        try (MutantPlant plant = new MutantPlant(oneWay, directory.resolve("six"))) {
            Report report = plant.judgedOn(DEVICE, USUAL_MOVE_MILLIS, six, bothWays, Duration.ofSeconds(2));
            assertThat(report.failed()).as(TextReport.of(report)).isEqualTo(2);
        }
    }

    /** Two circuits are enough for most of it, and nobody is accused for want of a third. */
    @Test
    void fourPortsAreEnoughToBeJudged() throws Exception {
        Mutant honest = new Mutant("has no bug", "") {};
        List<Requirement> quick = Requirements.all().stream()
                .filter(r -> !Set.of("crash", "silence", "neighbours").contains(r.chapter()))
                .filter(r -> !r.name().equals("stream/slow-client"))
                .toList();
        List<String> four = List.of("1", "2", "3", "4");
        try (MutantPlant plant = new MutantPlant(honest, directory.resolve("four"))) {
            Report report = plant.judgedOn(DEVICE, USUAL_MOVE_MILLIS, four, quick, Duration.ofSeconds(20));
            assertThat(report.isConforming()).as(TextReport.of(report)).isTrue();
            assertThat(report.skipped()).as(TextReport.of(report)).isLessThan(quick.size() / 2);
        }
    }

    /** A switch has no such position. */
    @Test
    void aPositionThatTransceiversPowerOnInIsNobodys() throws Exception {
        List<Mutant> wrong = List.of(
                new Mutant("breaks the position of power-on by SAFE", "conflict/power-on-position") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        return super.apply(
                                request.getConflictPolicy() == ConflictPolicy.CONFLICT_POLICY_SAFE
                                        ? request.toBuilder()
                                                .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_UPDATE)
                                                .build()
                                        : request);
                    }
                },
                new Mutant("takes the position of power-on for foreign", "conflict/power-on-position") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        return super.apply(
                                request.getConflictPolicy() == ConflictPolicy.CONFLICT_POLICY_UPDATE
                                        ? request.toBuilder()
                                                .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_SAFE)
                                                .build()
                                        : request);
                    }
                });
        for (Mutant mutant : wrong) {
            try (MutantPlant plant = new MutantPlant(mutant, Files.createTempDirectory(directory, "node"))) {
                Report report = plant.judgedOn(
                        NODE, USUAL_SELECTION_MILLIS, List.of(), named(mutant.requirement()), Duration.ofSeconds(2));
                assertThat(report.failed()).as(TextReport.of(report)).isEqualTo(1);
            }
        }
    }

    /** Each by one requirement: on transceivers, whose receivers measure, and on a switch with attenuators. */
    @TestFactory
    Stream<DynamicTest> everyPlantedBugOfStepsIsFoundByItsRequirementAlone() {
        return StepMutants.all().stream()
                .map(mutant -> dynamicTest("a driver that " + mutant, () -> {
                    boolean light = !mutant.requirement().equals("stream/attenuation");
                    try (MutantPlant plant = new MutantPlant(mutant, Files.createTempDirectory(directory, "steps"))) {
                        Report report = plant.judgedOn(
                                light ? NODE : DEVICE,
                                light ? USUAL_SELECTION_MILLIS : USUAL_MOVE_MILLIS,
                                List.of(),
                                Steps.all(),
                                Duration.ofSeconds(10));
                        assertThat(report.findings().stream()
                                        .filter(finding -> finding.verdict() instanceof Verdict.Failed)
                                        .map(finding -> finding.requirement().name()))
                                .as(TextReport.of(report))
                                .containsExactly(mutant.requirement());
                        assertThat(report.skipped()).as(TextReport.of(report)).isEqualTo(light ? 1 : 3);
                    }
                }));
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
            assertThat(report.skipped()).as(TextReport.of(report)).isEqualTo(5);
        }
    }
}
