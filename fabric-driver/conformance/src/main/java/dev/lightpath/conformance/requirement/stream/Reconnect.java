package dev.lightpath.conformance.requirement.stream;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Fault;
import dev.lightpath.conformance.bench.Watching;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.CircuitFate;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.GetInventoryRequest;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.StreamKind;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import io.grpc.Status;
import java.util.List;

/** A device that comes back different. */
public final class Reconnect {
    private Reconnect() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "reconnect/power-cycled",
                        "PowerCycled; ALARM_KIND_POWER_CYCLED",
                        "A loss of power is told with a snapshot, and its alarm stands until the device is programmed",
                        Reconnect::powerCycled),
                new Requirement(
                        "reconnect/another-device",
                        "Device.serial",
                        "Another device in its place is shown by its serial number, with its own circuits and parts, and told; the fence stays",
                        Reconnect::anotherDevice),
                new Requirement(
                        "reconnect/unasked-kinds",
                        "WatchRequest.kinds",
                        "A stream of circuits alone is not told of alarms, nor of ports, power or temperature, when power was lost",
                        Reconnect::unaskedKinds));
    }

    private static void powerCycled(Bench bench) throws Exception {
        bench.change().make(0).apply();
        try (Watching watching = bench.watch()) {
            int before = watching.messages().size();
            bench.faults().inject(new Fault.PowerCycle());
            int cycles = watching.messages().getFirst().getSnapshot().getPowerCycles();
            WatchResponse told = watching.await(
                    "PowerCycled", before, m -> m.getPowerCycled().getDeviceId().equals(bench.deviceId()));
            watching.await(
                    "a snapshot that counts the loss of power, after PowerCycled",
                    watching.messages().indexOf(told) + 1,
                    m -> m.hasSnapshot() && m.getSnapshot().getPowerCycles() > cycles);
            bench.await(
                    "the device PRESENT",
                    () -> bench.listed().getAvailability(),
                    Availability.AVAILABILITY_PRESENT::equals);
        }
        if (bench.device().capabilities().getOnPowerLoss() == CircuitFate.CIRCUIT_FATE_LOST) {
            bench.expectMade();
        }
        Streams.require(bench, StreamKind.STREAM_KIND_ALARMS);
        that(hasAlarm(bench), "the alarm POWER_CYCLED", "none");
        bench.change().apply();
        that(
                hasAlarm(bench),
                "the alarm POWER_CYCLED until circuits are programmed",
                "none after a change without items");
        try (Watching watching = bench.watch()) {
            int before = watching.messages().size();
            bench.change().make(1).apply();
            watching.await(
                    "the alarm POWER_CYCLED cleared, or a snapshot without it",
                    before,
                    m -> m.hasSnapshot() && !stands(m)
                            || !m.getAlarmChanged().getRaised()
                                    && m.getAlarmChanged().getAlarm().getKind() == AlarmKind.ALARM_KIND_POWER_CYCLED);
        }
        that(!hasAlarm(bench), "no alarm POWER_CYCLED in a new snapshot", "it is there");
    }

    /** Its alarm is raised, and cleared by the change. Snapshots have everything. */
    private static void unaskedKinds(Bench bench) throws Exception {
        Streams.require(bench, StreamKind.STREAM_KIND_CIRCUITS);
        WatchRequest circuits = bench.watchRequest()
                .addKinds(StreamKind.STREAM_KIND_CIRCUITS)
                .setHeartbeatInterval(com.google.protobuf.Duration.newBuilder().setNanos(100_000_000))
                .build();
        try (Watching watching = bench.watch(circuits);
                Watching everything = bench.watch()) {
            watching.awaitSynced();
            bench.faults().inject(new Fault.PowerCycle());
            everything.await(
                    "PowerCycled", m -> m.getPowerCycled().getDeviceId().equals(bench.deviceId()));
            bench.await(
                    "the device PRESENT",
                    () -> bench.listed().getAvailability(),
                    Availability.AVAILABILITY_PRESENT::equals);
            String made = bench.change().make(0).apply().getObservedDigest();
            everything.awaitDigest(bench.deviceId(), made);
            watching.awaitDigest(bench.deviceId(), made);
            watching.await(
                    "a message after that, a heartbeat if nothing else",
                    watching.messages().size(),
                    m -> true);
            watching.messages().forEach(Streams::expectOfCircuits);
        }
    }

    private static boolean hasAlarm(Bench bench) {
        try (Watching watching = bench.watch()) {
            return watching.messages().stream().anyMatch(Reconnect::stands);
        }
    }

    private static boolean stands(WatchResponse message) {
        return message.getSnapshot().getAlarmsList().stream()
                .map(Alarm::getKind)
                .anyMatch(AlarmKind.ALARM_KIND_POWER_CYCLED::equals);
    }

    private static void anotherDevice(Bench bench) throws Exception {
        Change change = bench.change().make(0);
        change.apply();
        Device before = bench.listed();
        long lower = bench.epoch();
        bench.raiseEpoch();
        bench.change().apply();
        DeviceInventory parts = inventory(bench);
        try (Watching watching = bench.watch()) {
            bench.faults().inject(new Fault.Replacement());
            bench.await(
                    "another serial number than " + before.getSerial(),
                    bench::listed,
                    d -> !d.getSerial().equals(before.getSerial())
                            && d.getAvailability() == Availability.AVAILABILITY_PRESENT);
            bench.await("the circuits of the new device", bench::shown, List::isEmpty);
            if (Streams.carries(bench, StreamKind.STREAM_KIND_CIRCUITS)) {
                watching.awaitDigest(bench.deviceId(), bench.read().getObservedDigest());
            }
            toldOfParts(bench, watching, parts);
        }
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

    private static DeviceInventory inventory(Bench bench) {
        return bench.calls()
                .inventory()
                .getInventory(GetInventoryRequest.newBuilder()
                        .addDeviceIds(bench.deviceId())
                        .build())
                .getDevices(0);
    }

    /** Where the new device has other modules or ports, its revision is another and the stream says so. */
    private static void toldOfParts(Bench bench, Watching watching, DeviceInventory before) {
        DeviceInventory now = inventory(bench);
        if (now.getModulesList().equals(before.getModulesList())
                && names(now).equals(names(before))
                && now.getInventoryRevision().equals(before.getInventoryRevision())) {
            return;
        }
        that(
                !now.getInventoryRevision().equals(before.getInventoryRevision()),
                "another inventory_revision than " + before.getInventoryRevision() + " for other modules",
                now.getModulesList());
        watching.await(
                "inventory_revision " + now.getInventoryRevision() + " in a snapshot or as InventoryChanged",
                m -> m.getInventoryChanged().getInventoryRevision().equals(now.getInventoryRevision())
                        || m.getSnapshot().getInventoryRevision().equals(now.getInventoryRevision()));
    }

    private static List<String> names(DeviceInventory inventory) {
        return inventory.getPortsList().stream().map(Port::getName).toList();
    }
}
