package dev.lightpath.app.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.driver.endpoint.DriverEndpoint;
import dev.lightpath.app.driver.state.ProtoCodec;
import dev.lightpath.planner.light.ChangeOutcome;
import dev.lightpath.planner.light.ChangeOutcome.Applied;
import dev.lightpath.planner.light.ChangeOutcome.Indeterminate;
import dev.lightpath.planner.light.ChangeOutcome.Reason;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DriverState.Contact;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.Status;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What becomes of changes, whatever their driver does. */
class FleetChangesTest extends FleetTrial {
    @Test
    void outcomeOfAStageComesOnceItsCircuitsAreShown() throws InterruptedException {
        DriverFleet fleet = synced(fleet(PATIENT));

        fleet.start(stage(fleet, 3, 1, "n1", "n2"), "pod-1");

        FleetLog.Answers outcome = log.outcomeOf(2);
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

        FleetLog.Answers outcome = log.outcomeOf(2);
        assertThat(outcome.outcomes().get(id("n1"))).isInstanceOf(Indeterminate.class);
        assertThat(outcome.outcomes().get(id("n2"))).isInstanceOf(Applied.class);
        assertThat(driver.asked).extracting(ApplyCircuitsRequest::getDeviceId).containsExactly("n2");
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

        assertThat(log.outcomeOf(many.length).applied()).isTrue();
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

        FleetLog.Answer first = log.answer();
        assertThat(first.stage()).isEqualTo(new StageId(3, 1));
        assertThat(first.device()).isEqualTo(id("n2"));
        assertThat(log.answers).isEmpty();
        released.countDown();
        FleetLog.Answer last = log.answer();
        assertThat(last.device()).isEqualTo(id("n1"));
        assertThat(last.outcome()).isInstanceOf(Applied.class);
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

        assertThat(log.outcome().stage()).isEqualTo(new StageId(3, 2));
        released.countDown();
        assertThat(log.outcome().stage()).isEqualTo(new StageId(3, 1));
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
}
