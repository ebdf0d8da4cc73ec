package dev.lightpath.app.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.driver.endpoint.DriverEndpoint;
import dev.lightpath.planner.light.ChangeOutcome.Applied;
import dev.lightpath.planner.light.ChangeOutcome.Reason;
import dev.lightpath.planner.light.ChangeOutcome.Rejected;
import dev.lightpath.planner.light.DeviceState.Presence;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.DriverState.Contact;
import dev.lightpath.planner.light.EpochMark;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.OperationChanged;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import dev.lightpath.tracing.Tracing;
import io.grpc.Status;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Epochs and roles of others that drivers tell of. */
class FleetEpochsTest extends FleetTrial {
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
        assertThat(state(fleet).remembered(ROLE)).isEqualTo(42);
    }

    /** A process that stands by watches for weeks what another one tells devices, and judges its records by it then. */
    @Test
    void whatAnotherProcessTellsDevicesOfRecordsIsHeardWhileTheStreamLasts() {
        driver.holdingRole = ROLE;
        driver.highestGeneration = 41;
        DriverFleet fleet = synced(fleet(PATIENT));

        driver.stream()
                .send(WatchResponse.newBuilder()
                        .setOperationChanged(OperationChanged.newBuilder()
                                .setOperation(Operation.newBuilder()
                                        .setDeviceId("n1")
                                        .setDesiredGeneration(57)
                                        .setFencing(Fencing.newBuilder()
                                                .setRole(ROLE)
                                                .setEpoch(2)))));

        await().untilAsserted(() -> assertThat(state(fleet).revisions()).containsOnly(Map.entry(ROLE, 57L)));
    }

    /** The fabric of a role is deleted and made anew, while another fabric has the same driver. */
    @Test
    void whatWeToldDevicesIsKnownWhenTheirRoleIsServedAgain() {
        DriverFleet fleet = synced(fleet(PATIENT));
        Stage stage = stage(fleet, 3, 1, "n1");
        fleet.start(new Stage(stage.id(), stage.role(), stage.cause(), stage.changes(), 42), "pod-1");
        await().until(() -> state(fleet).remembered(ROLE) == 42);
        DriverEndpoint other = DriverEndpoint.plaintext(driver.address(), "cluster/ring-b");

        fleet.connect(List.of(other));
        assertThat(state(fleet).remembered(ROLE)).isZero();
        fleet.connect(List.of(DriverEndpoint.plaintext(driver.address(), ROLE), other));

        assertThat(state(fleet).remembered(ROLE)).isEqualTo(42);
        assertThat(state(fleet).revisions()).as("it is no news").isEmpty();
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

        FleetLog.Answers outcome = log.outcomeOf(2);
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
}
