package dev.lightpath.app.driver;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.driver.endpoint.DriverEndpoint;
import dev.lightpath.app.driver.state.ProtoCodec;
import dev.lightpath.planner.light.ChangeOutcome;
import dev.lightpath.planner.light.ChangeOutcome.Applied;
import dev.lightpath.planner.light.ChangeOutcome.Indeterminate;
import dev.lightpath.planner.light.ChangeOutcome.Reason;
import dev.lightpath.planner.light.ChangeOutcome.Rejected;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DeviceState.Presence;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.DriverState.Contact;
import dev.lightpath.planner.light.EpochMark;
import dev.lightpath.planner.light.Inventory;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.light.StageOutcome;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.CircuitsChanged;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.InventoryChanged;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.OperationChanged;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import dev.lightpath.tracing.Tracing;
import io.grpc.Status;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a fleet makes of drivers that misbehave. */
class DriverFleetTest {
    private static final String ROLE = "cluster/ring-a";
    private static final Circuit LOOP = new Circuit("b0.common", "b0.loop");
    private static final Circuit PATH = new Circuit("b0.common", "b0.path1");
    private static final FleetTimings PATIENT = new PatientTimings().timings();

    private static final FleetTimings HURRIED =
            new PatientTimings().apply(Duration.ofMillis(500)).timings();

    private static final FleetTimings IMPATIENT = new PatientTimings()
            .silence(Duration.ofMillis(600))
            .ask(Duration.ofMillis(600))
            .timings();

    private static final FleetTimings WAITING =
            new PatientTimings().settle(Duration.ofSeconds(30)).timings();

    /** Who begins to list again forty times waits for hours. */
    private static final FleetTimings RARELY_AGAIN =
            new PatientTimings().lastRetry(Duration.ofHours(1)).timings();

    /** The scripted driver tells no holder when it is read. */
    private static final FleetTimings RARELY_CHECKED =
            new PatientTimings().recheck(Duration.ofHours(1)).timings();

    private final AtomicLong epoch = new AtomicLong(3);
    private final FleetLog log = new FleetLog();
    private final List<DriverFleet> fleets = new ArrayList<>();
    private ScriptedDriver driver;

    @BeforeEach
    void startDriver() {
        driver = new ScriptedDriver();
        driver.light("n1", "b0.common", "b0.loop");
        driver.light("n2", "b0.common", "b0.loop");
    }

    @AfterEach
    void stop() throws InterruptedException {
        fleets.forEach(DriverFleet::close);
        driver.close();
    }

    @Test
    void listsTheDevicesOfADriver() {
        synced(fleet(PATIENT));

        DriverState state = state(fleets.getFirst());
        assertThat(state.name()).isEqualTo("scripted");
        assertThat(state.devices()).containsOnlyKeys("n1", "n2");
        assertThat(circuits(fleets.getFirst(), "n1")).containsExactly(LOOP);
        assertThat(state.problem()).isEmpty();
        assertThat(state.plaintext()).isTrue();
    }

    @Test
    void showsTheSameStateUntilSomethingChanges() {
        DriverFleet fleet = synced(fleet(PATIENT));
        DriverState before = state(fleet);

        assertThat(state(fleet)).isSameAs(before);

        driver.carryOut(ApplyCircuitsRequest.newBuilder()
                .setDeviceId("n1")
                .addConnects(ScriptedDriver.key("b1.common", "b1.loop"))
                .build());
        await().until(() -> circuits(fleet, "n1").size() == 2);
        assertThat(requireNonNull(before.devices().get("n1")).circuits().circuits())
                .containsExactly(LOOP);
        assertThat(state(fleet).devices().get("n2")).isSameAs(before.devices().get("n2"));
    }

    @Test
    void outcomeOfAStageComesOnceItsCircuitsAreShown() throws InterruptedException {
        DriverFleet fleet = synced(fleet(PATIENT));

        fleet.start(stage(fleet, 3, 1, "n1", "n2"), "pod-1");

        StageOutcome outcome = log.outcome();
        assertThat(outcome.applied()).isTrue();
        assertThat(outcome.outcomes()).containsOnlyKeys(id("n1"), id("n2"));
        assertThat(circuits(fleet, "n1")).containsExactly(PATH);
        assertThat(outcome.outcomes().get(id("n1")))
                .isEqualTo(new Applied(device(fleet, "n1").digest(), Duration.ZERO));
        String id = ProtoCodec.operationId(new StageId(3, 1), "pod-1");
        assertThat(driver.asked)
                .extracting(ApplyCircuitsRequest::getOperationId)
                .containsExactly(id, id);
    }

    @Test
    void stageOfAnotherEpochThanOursIsNotSent() throws InterruptedException {
        DriverFleet fleet = synced(fleet(PATIENT));
        Stage stage = stage(fleet, 2, 1, "n1");

        fleet.start(stage, "pod-1");

        assertThat(rejection(log.outcome(), "n1").reason()).isEqualTo(Reason.STALE_EPOCH);
        assertThat(driver.asked).isEmpty();
    }

    @Test
    void driverThatSawAHigherEpochIsStaleUntilOursIsRaisedAboveIt() throws InterruptedException {
        driver.answer = request -> {
            throw ScriptedDriver.failure(Status.PERMISSION_DENIED, "STALE_EPOCH", Map.of("stored_epoch", "8"));
        };
        DriverFleet fleet = synced(fleet(PATIENT));

        fleet.start(stage(fleet, 3, 1, "n1"), "pod-1");

        Rejected rejected = rejection(log.outcome(), "n1");
        assertThat(rejected.reason()).isEqualTo(Reason.STALE_EPOCH);
        assertThat(rejected.reason().advice()).isEqualTo(ChangeOutcome.Advice.CHECK_LEADERSHIP);
        assertThat(state(fleet).contact()).isEqualTo(Contact.STALE_EPOCH);
        assertThat(state(fleet).highestEpoch()).isEqualTo(8);
        epoch.set(9);
        assertThat(state(fleet).contact()).isEqualTo(Contact.SYNCED);
    }

    /** Nothing is sent to a driver with a higher epoch, so no refusal would tell of it either. */
    @Test
    void higherEpochOfAnotherWriterIsNewsOfTheContact() {
        DriverFleet fleet = synced(fleet(PATIENT));
        log.changes.clear();

        driver.stream()
                .send(WatchResponse.newBuilder()
                        .setOperationChanged(OperationChanged.newBuilder()
                                .setOperation(Operation.newBuilder()
                                        .setDeviceId("n1")
                                        .setFencing(Fencing.newBuilder()
                                                .setRole(ROLE)
                                                .setEpoch(8)))));

        await().until(() -> log.changes.stream().anyMatch(change -> change.kind() == FleetChange.Kind.CONTACT));
        assertThat(state(fleet).contact()).isEqualTo(Contact.STALE_EPOCH);
        assertThat(state(fleet).highestEpoch()).isEqualTo(8);
    }

    @Test
    void higherEpochInTheListingIsStaleBeforeAnythingIsSent() {
        driver.holdingRole = ROLE;
        driver.highestEpoch = 7;
        DriverFleet fleet = fleet(PATIENT);

        await().until(() -> state(fleet).contact() == Contact.STALE_EPOCH);
        assertThat(state(fleet).highestEpoch()).isEqualTo(7);
    }

    @Test
    void epochThatWasNeverGivenIsStrangeAndTheDriverIsHeard() {
        driver.holdingRole = ROLE;
        driver.highestEpoch = 7;
        driver.highestEpochHolder = "pod-x@there";
        EpochBook book = new EpochBook("here", new TreeMap<>(Map.of(3L, "pod-1@here")), 3);
        AtomicReference<EpochBook> known = new AtomicReference<>(book);
        DriverFleet fleet = new DriverFleet(
                epoch::get, known::get, PATIENT, InstantSource.system(), new Random(1), Tracing.silent());
        fleets.add(fleet);
        fleet.connect(List.of(DriverEndpoint.plaintext(driver.address(), ROLE)));

        await().until(() -> state(fleet).contact() == Contact.STALE_EPOCH);
        assertThat(state(fleet).strange()).as("it may have been given since").isEmpty();

        known.set(book.judgedTo(7));
        assertThat(state(fleet).contact()).isEqualTo(Contact.SYNCED);
        assertThat(state(fleet).strange()).containsOnly(Map.entry(ROLE, new EpochMark(7, "pod-x@there")));
    }

    @Test
    void whatDevicesRememberOfRecordsIsNewsUnlessWeToldThem() {
        driver.holdingRole = ROLE;
        driver.highestGeneration = 41;
        DriverFleet fleet = fleet(PATIENT);
        await().until(() -> state(fleet).synced());
        assertThat(state(fleet).revisions()).containsOnly(Map.entry(ROLE, 41L));

        Stage stage = stage(fleet, 3, 1, "n1");
        fleet.start(new Stage(stage.id(), stage.role(), stage.cause(), stage.changes(), 42), "pod-1");

        await().until(() -> state(fleet).revisions().isEmpty());
    }

    @Test
    void epochAboveAllThatWeCanRaiseIsStaleAndSaysWhatToDo() {
        driver.holdingRole = ROLE;
        driver.highestEpoch = Long.MIN_VALUE + 5;
        DriverFleet fleet = fleet(PATIENT);

        await().until(() -> state(fleet).contact() == Contact.STALE_EPOCH);
        assertThat(state(fleet).problem().orElse(""))
                .contains("epoch 9223372036854775813 has written", ROLE, "docs/operating.md")
                .hasLineCount(1);
        assertThat(DriverState.raisable(state(fleet).highestEpoch())).isFalse();
    }

    @Test
    void refusalByAnEpochAboveAllThatWeCanRaiseIsUnderstood() throws InterruptedException {
        driver.answer = request -> {
            throw ScriptedDriver.failure(
                    Status.PERMISSION_DENIED, "STALE_EPOCH", Map.of("stored_epoch", "18446744073709551615"));
        };
        DriverFleet fleet = synced(fleet(PATIENT));

        fleet.start(stage(fleet, 3, 1, "n1"), "pod-1");

        assertThat(rejection(log.outcome(), "n1").reason()).isEqualTo(Reason.STALE_EPOCH);
        assertThat(state(fleet).contact()).isEqualTo(Contact.STALE_EPOCH);
        assertThat(state(fleet).problem().orElse("")).contains("18446744073709551615");
    }

    @Test
    void deviceOfAnotherRoleIsForeignAndTheOthersAreCaredFor() throws InterruptedException {
        driver.answer = request -> {
            if (request.getDeviceId().equals("n1")) {
                throw ScriptedDriver.failure(
                        Status.PERMISSION_DENIED, "FOREIGN_ROLE", Map.of("holding_role", "cluster/other"));
            }
            return driver.carryOut(request);
        };
        DriverFleet fleet = synced(fleet(RARELY_CHECKED));

        fleet.start(stage(fleet, 3, 1, "n1", "n2"), "pod-1");

        StageOutcome outcome = log.outcome();
        assertThat(rejection(outcome, "n1").reason()).isEqualTo(Reason.FOREIGN_ROLE);
        assertThat(outcome.outcomes().get(id("n2"))).isInstanceOf(Applied.class);
        assertThat(device(fleet, "n1").presence()).isEqualTo(Presence.FOREIGN);
        assertThat(device(fleet, "n2").presence()).isEqualTo(Presence.PRESENT);
        assertThat(state(fleet).contact()).isEqualTo(Contact.SYNCED);
        assertThat(state(fleet).problem().orElse("")).contains("n1");
    }

    @Test
    void driverWhoseDevicesAllBelongToAnotherRoleIsForeign() {
        driver.holdingRole = "cluster/other";
        driver.highestEpoch = 70;
        DriverFleet fleet = fleet(PATIENT);

        await().until(() -> state(fleet).contact() == Contact.FOREIGN_ROLE);
        assertThat(state(fleet).highestEpoch()).isZero();
    }

    @Test
    void deviceTransferredToOurRoleIsOursWithoutAnybodyAsking() {
        driver.holdingRole = "cluster/other";
        DriverFleet fleet = fleet(PATIENT);
        await().until(() -> state(fleet).contact() == Contact.FOREIGN_ROLE);

        driver.holdingRole = ROLE;

        await().until(() -> state(fleet).contact() == Contact.SYNCED);
        assertThat(device(fleet, "n1").presence()).isEqualTo(Presence.PRESENT);
    }

    @Test
    @SuppressWarnings("NullAway") // no change that can be built fails before it is sent
    void aChangeThatCannotBeSentIsIndeterminateAndTheOthersGoOn() throws InterruptedException {
        DriverFleet fleet = synced(fleet(PATIENT));
        Stage good = stage(fleet, 3, 1, "n1", "n2");
        DeviceChange first = good.changes().getFirst();
        DeviceChange broken = new DeviceChange(first.device(), null, first.disconnects(), first.connects());

        fleet.start(
                new Stage(
                        good.id(),
                        ROLE,
                        Stage.Cause.PLACE,
                        List.of(broken, good.changes().getLast())),
                "pod-1");

        StageOutcome outcome = log.outcome();
        assertThat(outcome.outcomes().get(id("n1"))).isInstanceOf(Indeterminate.class);
        assertThat(outcome.outcomes().get(id("n2"))).isInstanceOf(Applied.class);
        assertThat(driver.asked).extracting(ApplyCircuitsRequest::getDeviceId).containsExactly("n2");
    }

    @Test
    void aDriverThatRepeatsAPageTokenEndsTheReading() throws InterruptedException {
        DriverFleet fleet = synced(fleet(PATIENT));
        driver.nextPageToken = "again";

        fleet.observe(new TreeSet<>(List.of(id("n1"), id("n2"))));

        assertThat(log.reading().read()).containsExactly(id("n1"), id("n2"));
    }

    @Test
    void aDriverThatInventsDevicesEndsTheReading() throws InterruptedException {
        DriverFleet fleet = synced(fleet(PATIENT));
        driver.invents = true;

        fleet.observe(new TreeSet<>(List.of(id("n1"), id("n2"))));

        assertThat(log.reading().read()).containsExactly(id("n1"), id("n2"));
    }

    @Test
    void anEpochTooFarAboveTheDriversIsToldAsItSaysIt() throws InterruptedException {
        driver.answer = request -> {
            throw ScriptedDriver.failure(
                    Status.PERMISSION_DENIED.withDescription(
                            "n1: epoch 3000000 is more than 1048576 above the stored 7"),
                    "EPOCH_TOO_HIGH",
                    Map.of("stored_epoch", "7"));
        };
        DriverFleet fleet = synced(fleet(PATIENT));

        fleet.start(stage(fleet, 3, 1, "n1"), "pod-1");

        Rejected rejected = rejection(log.outcome(), "n1");
        assertThat(rejected.reason()).isEqualTo(Reason.NOT_AUTHORISED);
        assertThat(rejected.text()).contains("EPOCH_TOO_HIGH", "more than 1048576 above the stored 7");
        assertThat(state(fleet).contact()).isEqualTo(Contact.SYNCED);
    }

    @Test
    void timeOutIsResolvedByAskingForTheOperation() throws InterruptedException {
        CountDownLatch released = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        driver.answer = request -> {
            Operation done = driver.carryOut(request);
            driver.memory = query -> asked.incrementAndGet() < 3
                    ? done.toBuilder().setOutcome(Outcome.OUTCOME_IN_PROGRESS).build()
                    : done;
            awaitQuietly(released);
            return done;
        };
        DriverFleet fleet = synced(fleet(HURRIED));

        fleet.start(stage(fleet, 3, 5, "n1"), "pod-1");

        assertThat(log.outcome().applied()).isTrue();
        assertThat(driver.asked).hasSize(1);
        assertThat(driver.resolved).hasSize(3);
        assertThat(driver.resolved.getFirst().getOperationId()).startsWith("stage-3-5-");
        assertThat(driver.resolved.getFirst().getRole()).isEqualTo(ROLE);
        released.countDown();
    }

    @Test
    void changeInFlightSurvivesARestartOfTheDriver() throws InterruptedException {
        CountDownLatch admitted = new CountDownLatch(1);
        CountDownLatch killed = new CountDownLatch(1);
        driver.answer = request -> {
            Operation done = driver.carryOut(request);
            driver.memory = query -> done;
            admitted.countDown();
            awaitQuietly(killed);
            return done;
        };
        DriverFleet fleet = synced(fleet(PATIENT));

        fleet.start(stage(fleet, 3, 1, "n1"), "pod-1");
        admitted.await();
        driver.stop();
        killed.countDown();
        driver.restart("boot-2");

        assertThat(log.outcome().applied()).isTrue();
        assertThat(driver.asked).hasSize(1);
        await().until(() -> state(fleet).synced());
        assertThat(circuits(fleet, "n1")).containsExactly(PATH);
    }

    @Test
    void appliedChangeThatTheStreamDoesNotTellOfListsTheDevicesAgain() throws InterruptedException {
        driver.answer = request -> {
            driver.lit("n1").clear();
            driver.light("n1", "b0.common", "b0.path1");
            return driver.operation(request, Outcome.OUTCOME_APPLIED);
        };
        DriverFleet fleet = synced(fleet(PATIENT));

        fleet.start(stage(fleet, 3, 1, "n1"), "pod-1");

        assertThat(log.outcome().applied()).isTrue();
        await().until(() -> state(fleet).synced());
        assertThat(circuits(fleet, "n1")).containsExactly(PATH);
    }

    @Test
    void streamThatManyDevicesFindOutIsListedAgainOnce() throws InterruptedException {
        String[] many = IntStream.range(10, 50).mapToObj(node -> "n" + node).toArray(String[]::new);
        for (String device : many) {
            driver.light(device, "b0.common", "b0.loop");
        }
        driver.answer = request -> {
            driver.lit(request.getDeviceId()).clear();
            driver.light(request.getDeviceId(), "b0.common", "b0.path1");
            return driver.operation(request, Outcome.OUTCOME_APPLIED);
        };
        DriverFleet fleet = synced(fleet(RARELY_AGAIN));

        fleet.start(stage(fleet, 3, 1, many), "pod-1");

        assertThat(log.outcome().applied()).isTrue();
        await().untilAsserted(() -> {
            assertThat(state(fleet).synced()).isTrue();
            for (String device : many) {
                assertThat(circuits(fleet, device)).containsExactly(PATH);
            }
        });
    }

    @Test
    void listenerThatFailsKeepsNothingFromTheOthers() throws InterruptedException {
        DriverFleet fleet = new DriverFleet(epoch::get, PATIENT, InstantSource.system(), new Random(1));
        fleets.add(fleet);
        fleet.listen(new FleetListener() {
            @Override
            public void changed(FleetChange change) {
                throw new IllegalStateException("on purpose");
            }

            @Override
            public void answered(StageId stage, DeviceId device, ChangeOutcome outcome, Duration elapsed) {
                throw new IllegalStateException("on purpose");
            }

            @Override
            public void observed(Reading reading) {
                throw new IllegalStateException("on purpose");
            }
        });
        fleet.listen(log);
        fleet.connect(List.of(DriverEndpoint.plaintext(driver.address(), ROLE)));
        synced(fleet);

        fleet.start(stage(fleet, 3, 1, "n1"), "pod-1");

        assertThat(log.outcome().applied()).isTrue();
    }

    @Test
    void operationThatIsAdmittedLateIsStillResolved() throws InterruptedException {
        AtomicInteger asked = new AtomicInteger();
        driver.answer = request -> {
            Operation done = driver.carryOut(request);
            driver.memory = query -> {
                if (asked.incrementAndGet() < 3) {
                    throw ScriptedDriver.failure(Status.NOT_FOUND, "NO_SUCH_OPERATION", Map.of());
                }
                return done;
            };
            throw Status.UNAVAILABLE.withDescription("connection lost").asRuntimeException();
        };
        DriverFleet fleet = synced(fleet(WAITING));

        fleet.start(stage(fleet, 3, 1, "n1"), "pod-1");

        assertThat(log.outcome().applied()).isTrue();
        assertThat(driver.resolved).hasSize(3);
    }

    @Test
    void operationTheDriverDoesNotKnowIsIndeterminate() throws InterruptedException {
        driver.answer = request -> {
            throw Status.UNAVAILABLE.withDescription("going down").asRuntimeException();
        };
        DriverFleet fleet = synced(fleet(PATIENT));

        fleet.start(stage(fleet, 3, 1, "n1"), "pod-1");

        assertThat(log.outcome().outcomes().get(id("n1"))).isInstanceOf(Indeterminate.class);
        assertThat(driver.resolved).isNotEmpty();
        assertThat(driver.asked).hasSize(1);
    }

    @Test
    void partAndUnknownMeanObserveAgain() throws InterruptedException {
        driver.answer = request -> driver.operation(request, Outcome.OUTCOME_PARTIAL);
        DriverFleet fleet = synced(fleet(PATIENT));
        fleet.start(stage(fleet, 3, 1, "n1"), "pod-1");
        assertThat(log.outcome().outcomes().get(id("n1"))).isInstanceOf(Indeterminate.class);

        driver.answer = request -> driver.operation(request, Outcome.OUTCOME_UNKNOWN);
        driver.memory = query ->
                Operation.newBuilder().setOutcome(Outcome.OUTCOME_ROLLED_BACK).build();
        fleet.start(stage(fleet, 3, 2, "n1"), "pod-1");
        assertThat(log.outcome().outcomes().get(id("n1"))).isEqualTo(new Indeterminate("ROLLED_BACK"));
    }

    @Test
    void refusalsSayWhatToDo() throws InterruptedException {
        DriverFleet fleet = synced(fleet(PATIENT));
        long counter = 0;
        for (var expected : List.of(
                Map.entry(
                        ScriptedDriver.failure(Status.FAILED_PRECONDITION, "DIGEST_DIFFERS", Map.of()),
                        Reason.STATE_DIFFERS),
                Map.entry(ScriptedDriver.failure(Status.ABORTED, "OPERATION_IN_FLIGHT", Map.of()), Reason.IN_FLIGHT),
                Map.entry(ScriptedDriver.failure(Status.UNAVAILABLE, "DEVICE_SILENT", Map.of()), Reason.DEVICE_SILENT),
                Map.entry(ScriptedDriver.failure(Status.RESOURCE_EXHAUSTED, "BUSY", Map.of()), Reason.BUSY),
                Map.entry(
                        ScriptedDriver.failure(Status.RESOURCE_EXHAUSTED, "STATE_NOT_WRITABLE", Map.of()), Reason.BUSY),
                Map.entry(ScriptedDriver.failure(Status.INVALID_ARGUMENT, "MALFORMED", Map.of()), Reason.INVALID),
                Map.entry(
                        ScriptedDriver.failure(Status.PERMISSION_DENIED, "NOT_AUTHORISED", Map.of()),
                        Reason.NOT_AUTHORISED),
                Map.entry(
                        ScriptedDriver.failure(Status.NOT_FOUND, "NO_SUCH_DEVICE", Map.of()), Reason.NO_SUCH_DEVICE))) {
            driver.answer = request -> {
                throw expected.getKey();
            };
            fleet.start(stage(fleet, 3, ++counter, "n1"), "pod-1");
            assertThat(rejection(log.outcome(), "n1").reason()).isEqualTo(expected.getValue());
        }
        assertThat(driver.resolved).isEmpty();
    }

    @Test
    void deviceIsAnsweredForBeforeTheRestOfItsStage() throws InterruptedException {
        CountDownLatch released = new CountDownLatch(1);
        driver.answer = request -> {
            if (request.getDeviceId().equals("n1")) {
                awaitQuietly(released);
            }
            return driver.carryOut(request);
        };
        DriverFleet fleet = synced(fleet(PATIENT));

        fleet.start(stage(fleet, 3, 1, "n1", "n2"), "pod-1");

        assertThat(log.answers.poll(30, TimeUnit.SECONDS)).isEqualTo("3-1 n2");
        assertThat(log.outcomes).isEmpty();
        released.countDown();
        assertThat(log.outcome().applied()).isTrue();
        assertThat(log.answers).containsExactly("3-1 n1");
    }

    @Test
    void slowDeviceHoldsUpNoOther() throws InterruptedException {
        CountDownLatch released = new CountDownLatch(1);
        driver.answer = request -> {
            if (request.getDeviceId().equals("n1")) {
                awaitQuietly(released);
            }
            return driver.carryOut(request);
        };
        DriverFleet fleet = synced(fleet(PATIENT));

        fleet.start(stage(fleet, 3, 1, "n1"), "pod-1");
        fleet.start(stage(fleet, 3, 2, "n2"), "pod-1");

        assertThat(log.outcome().stage().id()).isEqualTo(new StageId(3, 2));
        released.countDown();
        assertThat(log.outcome().stage().id()).isEqualTo(new StageId(3, 1));
    }

    @Test
    void lostMessageListsTheDevicesAgain() {
        DriverFleet fleet = synced(fleet(PATIENT));
        driver.lit("n1").clear();
        driver.light("n1", "b0.common", "b0.path1");

        driver.stream().skip();
        driver.carryOut(ApplyCircuitsRequest.newBuilder()
                .setDeviceId("n2")
                .addConnects(ScriptedDriver.key("b1.common", "b1.loop"))
                .build());

        await().until(() -> circuits(fleet, "n1").equals(new TreeSet<>(List.of(PATH)))
                && state(fleet).contact() == Contact.SYNCED);
        assertThat(circuits(fleet, "n2")).hasSize(2);
    }

    @Test
    void deviceThatKeepsComingBackPutsOffListingAgainForAShortTimeOnly() throws InterruptedException {
        DriverFleet fleet = synced(fleet(PATIENT));
        ScriptedDriver.Stream lossy = driver.stream();
        driver.lit("n1").clear();
        driver.light("n1", "b0.common", "b0.path1");

        lossy.skip();
        Thread flapping = Thread.ofVirtual().start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                lossy.send(WatchResponse.newBuilder().setSnapshot(driver.snapshot("n2")));
                LockSupport.parkNanos(PATIENT.settle().toNanos() / 20);
            }
        });

        try {
            await().until(() -> circuits(fleet, "n1").equals(new TreeSet<>(List.of(PATH)))
                    && state(fleet).contact() == Contact.SYNCED);
        } finally {
            flapping.interrupt();
            flapping.join();
        }
    }

    @Test
    void messageLostWithoutATraceShowsInTheDigest() {
        DriverFleet fleet = synced(fleet(PATIENT));
        driver.light("n1", "b1.common", "b1.loop");
        driver.light("n1", "b2.common", "b2.loop");

        driver.stream()
                .send(WatchResponse.newBuilder()
                        .setCircuitsChanged(CircuitsChanged.newBuilder()
                                .setDeviceId("n1")
                                .addChanged(ScriptedDriver.circuit(ScriptedDriver.key("b2.common", "b2.loop")))
                                .setObservedDigest(ProtoCodec.digest(driver.lit("n1")))));

        await().until(() -> circuits(fleet, "n1").size() == 3 && state(fleet).contact() == Contact.SYNCED);
    }

    @Test
    void readingFindsWhatTheStreamDidNotTell() throws InterruptedException {
        DriverFleet fleet = synced(fleet(PATIENT));
        driver.light("n1", "b1.common", "b1.loop");

        fleet.observe(new TreeSet<>(List.of(id("n1"), id("n2"), id("n3"))));

        Reading reading = log.reading();
        assertThat(reading.read()).containsExactly(id("n1"), id("n2"));
        assertThat(reading.unread()).containsOnlyKeys(id("n3"));
        await().until(() -> circuits(fleet, "n1").size() == 2 && state(fleet).contact() == Contact.SYNCED);
    }

    @Test
    void restartedDriverIsListedAgainAndForgetsDevicesThatAreGone() throws InterruptedException {
        DriverFleet fleet = synced(fleet(PATIENT));

        driver.stop();
        await().until(() -> state(fleet).contact() == Contact.UNREACHABLE);
        assertThat(state(fleet).devices()).containsOnlyKeys("n1", "n2");

        driver.circuits.remove("n2");
        driver.light("n1", "b1.common", "b1.loop");
        driver.restart("boot-2");
        await().until(() -> state(fleet).contact() == Contact.SYNCED);
        assertThat(state(fleet).devices()).containsOnlyKeys("n1");
        assertThat(circuits(fleet, "n1")).hasSize(2);
    }

    @Test
    void driverThatJustStartedIsSyncedOnceItHasReadItsDevices() throws InterruptedException {
        DriverFleet fleet = synced(fleet(WAITING));
        driver.stop();
        await().until(() -> state(fleet).contact() == Contact.UNREACHABLE);
        driver.unread.addAll(List.of("n1", "n2"));
        driver.restart("boot-2");
        await().until(() -> state(fleet).problem().orElse("").contains("yet to read 2"));
        assertThat(circuits(fleet, "n1")).containsExactly(LOOP);

        driver.unread.clear();
        for (String device : List.of("n1", "n2")) {
            assertThat(state(fleet).contact()).isEqualTo(Contact.UNREACHABLE);
            driver.stream().send(WatchResponse.newBuilder().setSnapshot(driver.snapshot(device)));
        }

        await().until(() -> state(fleet).synced());
        assertThat(device(fleet, "n1").presence()).isEqualTo(Presence.PRESENT);
    }

    @Test
    void deviceThatIsNeverReadIsSilentInTheEnd() {
        driver.unread.add("n1");
        DriverFleet fleet = fleet(PATIENT);

        await().until(() -> state(fleet).synced());
        assertThat(device(fleet, "n1").presence()).isEqualTo(Presence.SILENT);
        assertThat(device(fleet, "n2").presence()).isEqualTo(Presence.PRESENT);
    }

    @Test
    void nothingIsSentToADriverThatIsNotSynced() throws InterruptedException {
        DriverFleet fleet = synced(fleet(PATIENT));
        Stage stage = stage(fleet, 3, 1, "n1");
        driver.stop();
        await().until(() -> state(fleet).contact() == Contact.UNREACHABLE);
        driver.listing = false;
        driver.restart("boot-2");
        await().until(() -> !driver.streams.isEmpty());

        fleet.start(stage, "pod-1");

        assertThat(rejection(log.outcome(), "n1").reason()).isEqualTo(Reason.DRIVER_UNREACHABLE);
        assertThat(driver.asked).isEmpty();
    }

    @Test
    void driverThatFallsSilentIsUnreachableAndItsDevicesStayKnown() {
        DriverFleet fleet = fleet(IMPATIENT);
        await().until(() -> log.changes.stream().anyMatch(change -> state(fleet).synced()));

        driver.listing = false;
        await().until(() -> state(fleet).contact() == Contact.UNREACHABLE);

        assertThat(state(fleet).devices()).containsOnlyKeys("n1", "n2");
        assertThat(state(fleet).problem()).isPresent();
    }

    @Test
    void halfOpenConnectionIsGivenUpAndMadeAnew() throws Exception {
        try (FrozenWire wire = new FrozenWire(driver.port())) {
            DriverFleet fleet = new DriverFleet(epoch::get, IMPATIENT, InstantSource.system(), new Random(1));
            fleets.add(fleet);
            fleet.connect(List.of(DriverEndpoint.plaintext(wire.address(), ROLE)));
            driver.beatEvery(Duration.ofMillis(50));
            await().until(() ->
                    requireNonNull(fleet.states().get(wire.address())).synced());

            wire.freeze();
            await().until(() ->
                    requireNonNull(fleet.states().get(wire.address())).contact() == Contact.UNREACHABLE);
            wire.thawForNewConnections();

            await().until(() ->
                    requireNonNull(fleet.states().get(wire.address())).synced());
            assertThat(wire.connections()).isGreaterThan(1);
        }
    }

    @Test
    void driverOfAnotherContractIsNotWatched() {
        driver.contract = "lightpath.driver.v9";
        DriverFleet fleet = fleet(PATIENT);

        await().until(() -> state(fleet).contact() == Contact.CONTRACT_MISMATCH);
        assertThat(state(fleet).problem().orElse(""))
                .contains("lightpath.driver.v9")
                .contains(DriverLink.CONTRACT);
        assertThat(driver.streams).isEmpty();
    }

    @Test
    void endpointThatIsNoneSaysSo() {
        DriverFleet fleet = new DriverFleet(epoch::get, PATIENT, InstantSource.system(), new Random(1));
        fleets.add(fleet);
        fleet.connect(List.of(DriverEndpoint.plaintext("nowhere", ROLE)));

        assertThat(requireNonNull(fleet.states().get("nowhere")).problem().orElse(""))
                .contains("nowhere")
                .contains("host:port");
    }

    @Test
    void driverThatIsNoLongerWantedIsForgotten() {
        DriverFleet fleet = synced(fleet(PATIENT));

        fleet.connect(List.of());

        assertThat(fleet.states()).isEmpty();
    }

    @Test
    void rolesOfOneAddressShareAConnection() {
        DriverFleet fleet = new DriverFleet(epoch::get, PATIENT, InstantSource.system(), new Random(1));
        fleets.add(fleet);
        driver.holdingRole = "cluster/ring-b";
        fleet.connect(List.of(
                DriverEndpoint.plaintext(driver.address(), "cluster/ring-a"),
                DriverEndpoint.plaintext(driver.address(), "cluster/ring-b")));
        synced(fleet);
        assertThat(device(fleet, "n1").presence()).isEqualTo(Presence.PRESENT);

        fleet.connect(List.of(DriverEndpoint.plaintext(driver.address(), "cluster/ring-a")));

        assertThat(device(fleet, "n1").presence()).isEqualTo(Presence.FOREIGN);
        assertThat(driver.streams).hasSize(1);
    }

    @Test
    void knowsWhatDevicesConsistOfAndSharesWhatIsAlike() {
        DriverFleet fleet = synced(fleet(PATIENT));

        Inventory inventory = device(fleet, "n1").inventory().orElseThrow();
        assertThat(inventory.make().vendor()).isEqualTo("acme");
        assertThat(inventory.ports()).hasSize(8).containsEntry("b1.path2", Inventory.Side.LINE);
        assertThat(inventory.refusal(PATH)).isEmpty();
        assertThat(inventory.refusal(new Circuit("b0.common", "b1.path1"))).isPresent();
        assertThat(device(fleet, "n2").inventory().orElseThrow()).isSameAs(inventory);
    }

    @Test
    void changedInventoryIsReadAgain() {
        DriverFleet fleet = synced(fleet(PATIENT));

        driver.inventories.put("n1", ScriptedDriver.modules("n1", "2", 3));
        driver.stream()
                .send(WatchResponse.newBuilder()
                        .setInventoryChanged(
                                InventoryChanged.newBuilder().setDeviceId("n1").setInventoryRevision("2")));

        await().until(() -> ports(fleet, "n1") == 12);
        assertThat(ports(fleet, "n2")).isEqualTo(8);
    }

    @Test
    void inventoryOfARestartedDriverIsReadAgainThoughItsRevisionIsTheSame() throws InterruptedException {
        DriverFleet fleet = synced(fleet(PATIENT));
        driver.stop();
        await().until(() -> !state(fleet).synced());

        driver.inventories.put("n1", ScriptedDriver.modules("n1", "1", 1));
        driver.restart("boot-2");

        await().until(() -> state(fleet).synced() && ports(fleet, "n1") == 4);
    }

    @Test
    void oneDeviceThatTheDriverWillNotTellOfKeepsNothingFromTheOthers() {
        driver.withheld.add("n1");
        DriverFleet fleet = synced(fleet(PATIENT));

        assertThat(device(fleet, "n1").inventory()).isEmpty();
        await().until(() -> state(fleet).problem().isPresent());
        assertThat(state(fleet).problem().orElseThrow())
                .contains("what 1 of its devices consist of cannot be read, n1 the first", "not for you");

        driver.withheld.clear();
        await().until(() -> ports(fleet, "n1") == 8);
        await().until(() -> state(fleet).problem().isEmpty());
    }

    /** It was forgotten if the time of its retry came before it counted as withheld. */
    @Test
    void aDeviceThatWasNotToldOfIsAskedForAgainHoweverSoon() {
        driver.withheld.add("n1");
        DriverFleet fleet = synced(
                fleet(new PatientTimings().firstRetry(Duration.ofNanos(1)).timings()));
        await().until(() -> state(fleet).problem().isPresent());

        driver.withheld.clear();
        await().until(() -> ports(fleet, "n1") == 8);
    }

    private int ports(DriverFleet fleet, String name) {
        return device(fleet, name)
                .inventory()
                .map(listed -> listed.ports().size())
                .orElse(0);
    }

    private DriverFleet fleet(FleetTimings timings) {
        DriverFleet fleet = new DriverFleet(epoch::get, timings, InstantSource.system(), new Random(1));
        fleets.add(fleet);
        fleet.listen(log);
        fleet.connect(List.of(DriverEndpoint.plaintext(driver.address(), ROLE)));
        return fleet;
    }

    private DriverFleet synced(DriverFleet fleet) {
        await().until(() -> state(fleet).synced() && !driver.streams.isEmpty() && listed(fleet));
        return fleet;
    }

    private boolean listed(DriverFleet fleet) {
        return state(fleet).devices().entrySet().stream()
                .filter(device -> !driver.withheld.contains(device.getKey()))
                .map(java.util.Map.Entry::getValue)
                .allMatch(device -> !device.present() || device.inventory().isPresent());
    }

    private DriverState state(DriverFleet fleet) {
        return requireNonNull(fleet.states().get(driver.address()));
    }

    private DeviceState device(DriverFleet fleet, String name) {
        return requireNonNull(state(fleet).devices().get(name), name);
    }

    private java.util.SortedSet<Circuit> circuits(DriverFleet fleet, String name) {
        return device(fleet, name).circuits().circuits();
    }

    private DeviceId id(String device) {
        return new DeviceId(driver.address(), device);
    }

    private static Rejected rejection(StageOutcome outcome, String device) {
        return outcome.outcomes().entrySet().stream()
                .filter(entry -> entry.getKey().device().equals(device))
                .map(entry -> (Rejected) entry.getValue())
                .findFirst()
                .orElseThrow();
    }

    private Stage stage(DriverFleet fleet, long ofEpoch, long counter, String... devices) {
        List<DeviceChange> changes = new ArrayList<>();
        for (String device : devices) {
            changes.add(new DeviceChange(
                    id(device),
                    device(fleet, device).digest(),
                    new TreeSet<>(List.of(LOOP)),
                    new TreeSet<>(List.of(PATH))));
        }
        return new Stage(new StageId(ofEpoch, counter), ROLE, Stage.Cause.PLACE, changes);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(60));
    }
}
