package dev.lightpath.conformance.requirement;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Fault;
import dev.lightpath.conformance.bench.Watching;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.CircuitFate;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import io.grpc.Status;
import java.util.List;

/** A device that comes back different. */
final class Reconnect {
    private Reconnect() {}

    static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "reconnect/power-cycled",
                        "PowerCycled; ALARM_KIND_POWER_CYCLED",
                        "A loss of power is told with a snapshot, and its alarm stands until the device is programmed",
                        Reconnect::powerCycled),
                new Requirement(
                        "reconnect/another-device",
                        "Device.serial",
                        "Another device in its place is shown by its serial number, with its own circuits; the fence stays",
                        Reconnect::anotherDevice));
    }

    private static void powerCycled(Bench bench) throws Exception {
        bench.change().make(0).apply();
        try (Watching watching = bench.watch()) {
            int before = watching.messages().size();
            bench.faults().inject(new Fault.PowerCycle());
            watching.await("PowerCycled", m -> m.getPowerCycled().getDeviceId().equals(bench.deviceId()));
            watching.await("a snapshot", before, WatchResponse::hasSnapshot);
            bench.await(
                    "the device PRESENT",
                    () -> bench.listed().getAvailability(),
                    Availability.AVAILABILITY_PRESENT::equals);
        }
        if (bench.device().capabilities().getOnPowerLoss() == CircuitFate.CIRCUIT_FATE_LOST) {
            bench.expectMade();
        }
        that(hasAlarm(bench), "the alarm POWER_CYCLED", "none");
        bench.change().make(1).apply();
        bench.await("the alarm POWER_CYCLED to clear", () -> hasAlarm(bench), standing -> !standing);
    }

    private static boolean hasAlarm(Bench bench) {
        try (Watching watching = bench.watch()) {
            return watching.messages().stream()
                    .filter(WatchResponse::hasSnapshot)
                    .flatMap(m -> m.getSnapshot().getAlarmsList().stream())
                    .map(Alarm::getKind)
                    .anyMatch(AlarmKind.ALARM_KIND_POWER_CYCLED::equals);
        }
    }

    private static void anotherDevice(Bench bench) throws Exception {
        Change change = bench.change().make(0);
        change.apply();
        Device before = bench.listed();
        long lower = bench.epoch();
        bench.raiseEpoch();
        bench.change().apply();
        bench.faults().inject(new Fault.Replacement());
        bench.await(
                "another serial number than " + before.getSerial(),
                bench::listed,
                d -> !d.getSerial().equals(before.getSerial())
                        && d.getAvailability() == Availability.AVAILABILITY_PRESENT);
        bench.await("the circuits of the new device", bench::shown, List::isEmpty);
        equal(
                "outcome of an operation on the old device",
                Outcome.OUTCOME_APPLIED,
                bench.operation(change.id()).getOutcome());
        bench.change()
                .epoch(lower)
                .refused("a lower epoch on the new device", Status.Code.PERMISSION_DENIED, "STALE_EPOCH");
        bench.change().make(1).apply();
        bench.expectMade(1);
    }
}
